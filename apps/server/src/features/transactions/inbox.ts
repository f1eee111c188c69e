/**
 * The inbox: what a gateway tells us is stored byte for byte before anything is made of it.
 */
import { createHash } from 'node:crypto'
import type { Payu } from '#src/adapters/payu/client.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { findEvent, findWaitingEvents, moveEvent, storeEvent } from './inbox-repo.ts'
import { applyPayuOrder } from './payments.ts'
import { pollOrder } from './polling.ts'

export const gatewayEventJob = defineJob<{ eventId: string }>({
  queue: 'payments.event',
  policy: 'standard',
  retryLimit: 10,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
})

const signatureHeader = 'openpayu-signature'

/**
 * Takes a notification in. Stored first, then verified; the worker does the rest.
 * @returns whether it is PayU's: only then is it answered with a success.
 */
export async function receiveNotification(
  context: Context,
  payu: Payu,
  { raw, headers }: { raw: Buffer; headers: Record<string, string | string[] | undefined> },
): Promise<boolean> {
  const signature = single(headers[signatureHeader]) ?? single(headers[`x-${signatureHeader}`])
  // The signature counts too: a forgery that came first must not stand in the way of the real one.
  const dedupeKey = createHash('sha256')
    .update(signature ?? '')
    .update('\0')
    .update(raw)
    .digest()
  const kept = { [signatureHeader]: signature ?? null, 'content-type': single(headers['content-type']) ?? null }
  const event = await storeEvent(context.db, { gateway: 'payu', raw, headers: kept, dedupeKey })
  if (event.state !== 'received') return event.state !== 'refused'
  if (!payu.isSigned(raw, signature)) {
    context.logger.warn({ event: event.id }, 'a notification in the name of PayU is not signed by it')
    await moveEvent(context.db, event.id, { from: ['received'], to: 'refused', note: 'signature' })
    return false
  }
  await inTransaction(context.db, async (trx) => {
    const isFirst = await moveEvent(trx, event.id, { from: ['received'], to: 'verified' })
    if (isFirst) await enqueue(context.boss, trx, gatewayEventJob, { eventId: event.id })
  })
  return true
}

/** Makes of a message what it means; again is harmless. */
export async function processEvent(context: Context, payu: Payu, eventId: string): Promise<void> {
  const event = await findEvent(context.db, eventId)
  if (event === undefined || (event.state !== 'received' && event.state !== 'verified')) return
  const from = ['received', 'verified'] as const
  const signature = (event.headers as Record<string, string | null>)[signatureHeader] ?? undefined
  if (!payu.isSigned(event.raw, signature)) {
    await moveEvent(context.db, eventId, { from, to: 'refused', note: 'signature' })
    return
  }
  const order = payu.readNotification(event.raw)
  if (order === undefined) {
    context.logger.warn({ event: eventId }, 'PayU tells of something that is not handled')
    await moveEvent(context.db, eventId, { from, to: 'ignored', note: 'not about an order' })
    return
  }
  const outcome = await applyPayuOrder(context, { payu, order, source: 'notification' })
  if (outcome === 'capture') await pollOrder(context, payu, order.orderId)
  const isHeeded = outcome !== 'mismatch' && outcome !== 'unknown order'
  await moveEvent(context.db, eventId, { from, to: isHeeded ? 'processed' : 'ignored', note: outcome })
}

/**
 * Processes an event and then whatever else waits: jobs are handed out at a pace of their own, a flood is not.
 * Two that do so at once only do work twice.
 */
export async function processEvents(context: Context, payu: Payu, eventId: string): Promise<void> {
  await processEvent(context, payu, eventId)
  const tried = new Set([eventId])
  for (;;) {
    const fresh = (await findWaitingEvents(context.db, 20)).filter((id) => !tried.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) {
      tried.add(id)
      try {
        await processEvent(context, payu, id)
      } catch (error) {
        context.logger.warn({ error, event: id }, 'a notification could not be processed now') // its own job tries again
      }
    }
  }
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
