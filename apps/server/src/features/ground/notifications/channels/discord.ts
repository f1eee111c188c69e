/**
 * A webhook of the user's own Discord server. Only hosts that the operator names are called, so that a webhook cannot
 * make us call anything else; nothing in a message pings anybody or reads as markup.
 */
import type { NotificationImportance } from '@wakestone/contract/ground/notification-kinds/kind'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { postOutside } from '#src/adapters/outbound/post.ts'
import type { Delivery } from '../deliveries-repo.ts'
import { pagesOf } from '../links.ts'
import { sayShortly } from '../render.ts'
import { checkAnswer, DeliveryRefused } from './failures.ts'

const colours = { low: 0x8aa0ff, normal: 0xf5b942, high: 0xf2695c } as const
const path = /^\/api\/(v\d{1,2}\/)?webhooks\/\d{1,20}\/[\w-]{1,100}$/

/** Whether an address is a webhook of a Discord host. */
export function isWebhookAllowed(
  address: string,
  { WEBHOOK_HOSTS }: Pick<Context['settings'], 'WEBHOOK_HOSTS'>,
): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return (
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    WEBHOOK_HOSTS.includes(url.host) &&
    path.test(url.pathname) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  )
}

/** What people wrote stays what it is: no links, no bold, no mentions. */
const escapeMarkup = (value: string) => value.replace(/[\\*_~`|<>[\]()#@:.-]/g, (character) => `\\${character}`)

export async function sendToDiscord({ settings }: Pick<Context, 'settings'>, delivery: Delivery): Promise<void> {
  const { kind, importance, language, timeZone, fields, createdAt, webhook } = delivery
  if (webhook === null) throw new DeliveryRefused('no webhook')
  const said = sayShortly(kind, { language, timeZone, fields, guard: escapeMarkup })
  await postToWebhook(settings, webhook, {
    ...said,
    importance,
    at: createdAt,
    link: pagesOf(delivery, settings)[0]?.link,
  })
}

/** @throws DeliveryRefused, ReceiverGone, ComeBackLater, or any error of the network. */
export async function postToWebhook(
  settings: Context['settings'],
  webhook: string,
  said: { title: string; text: string; importance: NotificationImportance; at: Date; link?: string | undefined },
): Promise<void> {
  if (!isWebhookAllowed(webhook, settings)) throw new DeliveryRefused('not a Discord webhook')
  const answer = await postOutside(webhook, {
    mayBePrivate: settings.ALLOW_PRIVATE_TARGETS,
    headers: { 'content-type': 'application/json', 'user-agent': `DiscordBot (${publicUrl(settings)}, 1)` },
    body: JSON.stringify({
      username: 'Wakestone',
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: said.title.slice(0, 256),
          description: said.text.slice(0, 4000),
          color: colours[said.importance],
          timestamp: said.at.toISOString(),
          ...(said.link === undefined ? {} : { url: said.link }),
        },
      ],
    }),
  })
  checkAnswer(answer)
}
