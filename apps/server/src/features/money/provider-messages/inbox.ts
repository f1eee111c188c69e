/**
 * The inbox: what a gateway tells us is stored byte for byte before anything is made of it.
 */
import { createHash } from 'node:crypto'
import type { GatewayEvent, Notification, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { applyOrder, pollOrder } from '#src/features/money/payments/service.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { findEvent, findWaitingEvents, moveEvent, postponeEvent, refuseStoredEvent, storeEvent } from './repo.ts'
import { handleReturn } from './returns.ts'

/** How long a message about money that went back waits for its payment, or for the gateway's own list to have it. */
const patienceSeconds = 24 * 3600

export const gatewayEventJob = defineJob<{ eventId: string }>({
  queue: 'payments.event',
  policy: 'standard',
  retryLimit: 10,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
})

/**
 * Takes a notification in. Stored first, then verified; the worker does the rest.
 * @returns whether it is the gateway's: only then is it answered with a success.
 * @throws GatewayUnavailable where the gateway has to be asked about it and cannot be; it is looked at again later.
 */
export async function receiveNotification(
  context: Context,
  gateway: PaymentGateway,
  { raw, headers }: { raw: Buffer; headers: Record<string, string | string[] | undefined> },
): Promise<boolean> {
  const names = [...gateway.notificationHeaders, 'content-type']
  const given = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, single(headers[name])] as const]))
  const notification: Notification = { raw, headers: Object.fromEntries(given) }
  // What is signed with counts too: a forgery that came first must not stand in the way of the real one.
  const dedupeKey = createHash('sha256')
  for (const name of gateway.notificationHeaders) dedupeKey.update(`${notification.headers[name] ?? ''}\0`)
  const event = await storeEvent(context.db, {
    gateway: gateway.id,
    raw,
    headers: notification.headers,
    dedupeKey: dedupeKey.update(raw).digest(),
  })
  // One that was refused may be good by now: a key that was wrong here is mended while they send it again.
  if (event.state !== 'received' && event.state !== 'refused') return true
  if (!(await gateway.isSigned(notification))) {
    await refuseEvent(context, gateway, event.id)
    return false
  }
  await inTransaction(context.db, async (trx) => {
    const isFirst = await moveEvent(trx, event.id, { from: ['received', 'refused'], to: 'verified', raw })
    if (isFirst) await enqueue(context.boss, trx, gatewayEventJob, { eventId: event.id })
  })
  return true
}

async function refuseEvent({ db, logger }: Context, gateway: PaymentGateway, eventId: string): Promise<void> {
  logger.warn({ event: eventId, gateway: gateway.id }, 'a notification in the name of a gateway is not signed by it')
  await refuseStoredEvent(db, eventId)
}

/** Makes of a message what it means; again is harmless. */
export async function processEvent(context: Context, gateways: Gateways, eventId: string): Promise<void> {
  const event = await findEvent(context.db, eventId)
  if (event === undefined || (event.state !== 'received' && event.state !== 'verified')) return
  const gateway = gateways.find(event.gateway)
  if (gateway === undefined) return // not set up any more, or not yet again
  const from = ['received', 'verified'] as const
  const headers = event.headers as Notification['headers']
  // One that was verified when it came was so by the same bytes; asking again would need the gateway again.
  if (event.state === 'received' && !(await gateway.isSigned({ raw: event.raw, headers }))) {
    await refuseEvent(context, gateway, eventId)
    return
  }
  const told = gateway.readNotification({ raw: event.raw, headers })
  let heard = await handle(context, gateway, { eventId, told, isLast: false })
  if (heard.isEarly) {
    if (await postponeEvent(context.db, eventId, { note: heard.note, withinSeconds: patienceSeconds })) return
    heard = await handle(context, gateway, { eventId, told, isLast: true })
  }
  const { isHandled, isEarly, note } = heard
  if (isEarly)
    context.logger.error(
      { event: eventId, gateway: gateway.id },
      `a gateway tells of an ${note}: of money that went back and is not known here`,
    )
  await moveEvent(context.db, eventId, { from, to: isHandled ? 'processed' : 'ignored', note })
}

/** `isEarly`: what it is about is not known here, and may be soon. */
type Heard = { isHandled: boolean; isEarly?: boolean; note: string }

async function handle(
  context: Context,
  gateway: PaymentGateway,
  { eventId, told: event, isLast }: { eventId: string; told: GatewayEvent; isLast: boolean },
): Promise<Heard> {
  if (event.kind === 'other') {
    const { about } = event
    context.logger.warn({ event: eventId, gateway: gateway.id, about }, 'a gateway tells of something not handled')
    return { isHandled: false, note: 'not about money' }
  }
  if (event.kind !== 'order') {
    const heard = await handleReturn(context, gateway, event, { asTold: isLast, now: new Date() })
    const isEarly = heard === 'unknown payment' || heard === 'refund not listed'
    return { isHandled: heard === 'applied' || heard === 'unchanged', isEarly, note: heard }
  }
  const { order } = event
  const outcome = await applyOrder(context, { gateway, order, source: 'notification' })
  if (outcome === 'capture') {
    const { orderId, paymentId, externalId, currency } = order
    await pollOrder(context, gateway, { orderId, paymentId, externalId: externalId ?? '', currency: currency ?? '' })
  }
  return { isHandled: outcome !== 'mismatch' && outcome !== 'unknown order', note: outcome }
}

/**
 * Processes an event and then whatever else waits: jobs are handed out at a pace of their own, a flood is not.
 * Two that do so at once only do work twice.
 */
export async function processEvents(context: Context, gateways: Gateways, eventId: string): Promise<void> {
  await processEvent(context, gateways, eventId)
  const tried = new Set([eventId])
  for (;;) {
    const fresh = (await findWaitingEvents(context.db, 20)).filter((id) => !tried.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) {
      tried.add(id)
      try {
        await processEvent(context, gateways, id)
      } catch (error) {
        context.logger.warn({ error, event: id }, 'a notification could not be processed now') // its own job tries again
      }
    }
  }
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
