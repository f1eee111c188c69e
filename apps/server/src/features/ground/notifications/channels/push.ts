/** Web Push (RFC 8030, 8188, 8291, 8292): encrypted for one browser, signed by this installation. */
import webPush from 'web-push'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { postOutside } from '#src/adapters/outbound/post.ts'
import type { Delivery } from '../deliveries-repo.ts'
import { sayShortly } from '../render.ts'
import { checkAnswer, DeliveryRefused } from './failures.ts'

const keptSeconds = 24 * 3600
const urgencies = { low: 'low', normal: 'normal', high: 'high' } as const

export async function sendPush(context: Pick<Context, 'settings' | 'secrets'>, delivery: Delivery): Promise<void> {
  const { settings, secrets } = context
  const { subscription, notificationId, kind, importance, language, timeZone, fields } = delivery
  if (subscription === null) throw new DeliveryRefused('no subscription')
  const { title, text } = sayShortly(kind, { language, timeZone, fields })
  const site = publicUrl(settings)
  const { endpoint, headers, body } = webPush.generateRequestDetails(
    { endpoint: subscription.endpoint, keys: { p256dh: subscription.p256dh, auth: subscription.auth } },
    JSON.stringify({
      id: notificationId,
      title: title.slice(0, 200),
      text: text.slice(0, 600),
      path: `/${language}/notifications/${notificationId}`,
      importance,
    }),
    {
      contentEncoding: 'aes128gcm',
      TTL: keptSeconds,
      urgency: urgencies[importance],
      // What waits at the push service under the same topic is replaced: sent twice, it is shown once.
      topic: notificationId.replaceAll('-', ''),
      vapidDetails: {
        subject: site.startsWith('https:') ? site : `mailto:${settings.SUPPORT_EMAIL ?? settings.ADMIN_EMAIL}`,
        publicKey: secrets.vapid.publicKey,
        privateKey: secrets.vapid.privateKey,
      },
    },
  )
  const answer = await postOutside(endpoint, {
    mayBePrivate: settings.ALLOW_PRIVATE_TARGETS,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body ?? '',
  })
  checkAnswer(answer)
}
