/**
 * Takes what is due on its way, each channel by itself: a broken one is slow alone. At least once: what was taken and
 * not finished comes again; receivers know a second copy by its id.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ForbiddenTarget } from '#src/adapters/outbound/guarded-lookup.ts'
import type { Context } from '#src/context.ts'
import { listen } from '#src/db/listen.ts'
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
const lookMilliseconds = 3_000

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
export async function beginDeliveries(
  context: Deps & Pick<Context, 'databaseUrl'>,
): Promise<{ close(): Promise<void> }> {
  const { logger, databaseUrl } = context
  const stopping = new AbortController()
  let wake = () => {}
  let woken = new Promise<void>((resolve) => (wake = resolve))
  const wakeAll = () => {
    wake()
    woken = new Promise((resolve) => (wake = resolve))
  }
  const listener = await listen({
    url: databaseUrl,
    channel: 'notification_deliveries',
    logger,
    onMessage: wakeAll,
    onReconnect: wakeAll,
  })

  async function run(channel: DeliveryChannel): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = woken // before looking: what is written meanwhile wakes us
      try {
        if ((await deliverDue(context, channel)) > 0) continue
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ error, channel }, 'cannot look for what is to be delivered now')
      }
      const resting = new AbortController()
      const rest = delay(lookMilliseconds, undefined, { signal: AbortSignal.any([resting.signal, stopping.signal]) })
      await Promise.race([next, rest.catch(() => undefined)])
      resting.abort()
    }
  }
  const runs = deliveryChannels.map(run)
  return {
    async close() {
      stopping.abort()
      wakeAll()
      await Promise.all(runs)
      await listener.close()
    },
  }
}
