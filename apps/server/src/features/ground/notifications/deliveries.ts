/**
 * Takes what is due on its way, each channel by itself: a broken one is slow alone. At least once: what was taken and
 * not finished comes again; receivers know a second copy by its id.
 */
import { ForbiddenTarget } from '#src/adapters/outbound/guarded-lookup.ts'
import type { Context } from '#src/context.ts'
import { beginDueWork } from '#src/jobs/due-work.ts'
import { sendToDiscord } from './channels/discord.ts'
import { ComeBackLater, DeliveryRefused, ReceiverGone } from './channels/failures.ts'
import { sendMail } from './channels/mail.ts'
import { sendPush } from './channels/push.ts'
import {
  claimDeliveries,
  type Delivery,
  type DeliveryChannel,
  deliveryChannels,
  forgetSubscription,
  markDelivered,
  noteWebhook,
  putOff,
} from './deliveries-repo.ts'

const atOnce = 8
const triesAllowed = 10
/** Longer than any channel may take: what is claimed and never finished is free again then. */
const claimSeconds = 120

/** 10 s, 30 s, 90 s … up to four hours: ten tries reach over half a day. */
const waitSeconds = (tries: number) => Math.min(10 * 3 ** (tries - 1), 4 * 3600)

type Deps = Pick<Context, 'db' | 'logger' | 'mailer' | 'settings' | 'secrets'>

const senders: Record<DeliveryChannel, (context: Deps, delivery: Delivery) => Promise<'sent' | 'kept' | void>> = {
  mail: sendMail,
  discord: sendToDiscord,
  push: sendPush,
}

/** Delivers what is due on a channel, some at once. @returns how many there were. */
export async function deliverDue(context: Deps, channel: DeliveryChannel): Promise<number> {
  const timeZone = context.settings.SELLER_TIME_ZONE
  const due = await claimDeliveries(context.db, channel, { limit: atOnce, claimSeconds, timeZone })
  await Promise.all(due.map((delivery) => deliver(context, delivery)))
  return due.length
}

async function deliver(context: Deps, delivery: Delivery): Promise<void> {
  const { db, logger } = context
  const { id, channel, tries, userId } = delivery
  try {
    const state = await senders[channel](context, delivery)
    await markDelivered(db, id, state ?? 'sent')
    if (channel === 'discord') await noteWebhook(db, userId, null)
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200)
    const isFinal = error instanceof DeliveryRefused || error instanceof ForbiddenTarget || tries >= triesAllowed
    logger.warn({ delivery: id, channel, tries, reason, final: isFinal }, 'a notification was not delivered')
    if (error instanceof ReceiverGone && delivery.subscription !== null) {
      await forgetSubscription(db, delivery.subscription.id) // and with it what waits for it
      return
    }
    const seconds = error instanceof ComeBackLater ? error.seconds : waitSeconds(tries)
    await putOff(db, id, { reason, seconds: isFinal ? undefined : seconds })
    if (channel === 'discord') await noteWebhook(db, userId, error instanceof ReceiverGone ? 'gone' : reason)
  }
}

/** Delivers as long as the process runs. */
export const beginDeliveries = (context: Deps & Pick<Context, 'channels'>): Promise<{ close(): Promise<void> }> =>
  beginDueWork(context, {
    channel: 'notification_deliveries',
    lanes: deliveryChannels.map((channel) => () => deliverDue(context, channel)),
  })
