/** Where a user wants to be told of what. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { NotificationSettings, pushSubscriptionBody } from '@wakestone/contract/ground/notification'
import { isChannelFixed, isChannelOn, kindSpecs, toldKindNames } from '@wakestone/contract/ground/notification-kinds'
import { notificationChannels } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import { isPublicAddress } from '#src/adapters/outbound/public-address.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { isWebhookAllowed, postToWebhook } from './channels/discord.ts'
import { texts } from './render.ts'
import {
  type Choice,
  deleteSubscriptions,
  deleteWebhook,
  findWebhook,
  saveChoices,
  saveSubscription,
  saveWebhook,
  selectChoices,
  selectPushSessions,
} from './settings-repo.ts'

/** @param sessionId of whoever asks */
export async function showSettings(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  userId: string,
  sessionId: string,
): Promise<NotificationSettings> {
  const [choices, webhook, pushed] = await Promise.all([
    selectChoices(db, userId),
    findWebhook(db, userId),
    selectPushSessions(db, userId),
  ])
  const chosen = new Map(choices.map(({ kind, channel, wanted }) => [`${kind} ${channel}`, wanted]))
  return {
    kinds: toldKindNames
      .filter((kind) => kindSpecs[kind].forAdministrators !== true)
      .map((kind) => ({
        kind,
        group: kindSpecs[kind].group,
        channels: Object.fromEntries(
          notificationChannels.map((channel) => [
            channel,
            { on: isChannelOn(kind, channel, chosen.get(`${kind} ${channel}`)), fixed: isChannelFixed(kind, channel) },
          ]),
        ) as NotificationSettings['kinds'][number]['channels'],
      })),
    webhook: webhook === undefined ? null : { hint: hintOf(webhook.url), last_error: webhook.last_error },
    push: {
      public_key: secrets.vapid.publicKey,
      browsers: pushed.length,
      here: pushed.includes(sessionId),
    },
  }
}

/** Host and the webhook's number, without the part that lets one write there. */
function hintOf(address: string): string {
  const url = new URL(address)
  return `${url.host}/…/${url.pathname.split('/').at(-2)?.slice(-6) ?? ''}`
}

export async function chooseChannels(
  { db }: Pick<Context, 'db'>,
  userId: string,
  choices: readonly Choice[],
): Promise<void> {
  const free = choices.filter(({ kind, channel }) => !isChannelFixed(kind, channel))
  const last = new Map(free.map((choice) => [`${choice.kind} ${choice.channel}`, choice])) // the last word on each counts
  await inTransaction(db, (trx) => saveChoices(trx, userId, [...last.values()]))
}

/** @throws DomainError `webhook_not_allowed` for another host, `webhook_unreachable` when the first message fails. */
export async function connectWebhook(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
  { url, language }: { url: string; language: Language },
): Promise<void> {
  if (!isWebhookAllowed(url, settings)) throw new DomainError('webhook_not_allowed')
  try {
    await postToWebhook(settings, url, { ...texts[language].webhookGreeting, importance: 'normal', at: new Date() })
  } catch {
    throw new DomainError('webhook_unreachable')
  }
  await saveWebhook(db, userId, url)
}

/** @throws DomainError `invalid_request` for an endpoint that we would never call. */
export async function subscribeBrowser(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { endpoint, keys }: z.output<typeof pushSubscriptionBody>,
): Promise<void> {
  const url = new URL(endpoint)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isNumber = /^[\d.]+$|:/.test(host)
  if (!settings.ALLOW_PRIVATE_TARGETS && (url.protocol !== 'https:' || (isNumber && !isPublicAddress(host))))
    throw new DomainError('invalid_request', { endpoint: 'a public https address' })
  await inTransaction(db, (trx) => saveSubscription(trx, { userId, sessionId, endpoint, ...keys }))
}

export function unsubscribeBrowser({ db }: Pick<Context, 'db'>, userId: string, sessionId?: string): Promise<void> {
  return deleteSubscriptions(db, userId, sessionId)
}

export function disconnectWebhook({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  return deleteWebhook(db, userId)
}
