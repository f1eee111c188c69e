/**
 * Asking gateways to give money back, and then what became of it. The row is there before the gateway is asked and names
 * the refund to it, so the process may end at any line: the same refund is asked for again, and is made once.
 */
import { type GatewayRefund, GatewayUnavailable, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { lockTransaction } from '#src/features/money/payments/service.ts'
import { defineJob } from '#src/jobs/boss.ts'
import { applyRefund, failRefund, firstPollMilliseconds } from './handle.ts'
import { requireLocked } from './money.ts'
import { findPaymentByOrder, type Payment } from './payments-repo.ts'
import { findReturn, type ReturnRow, takeDueReturns, updateReturn } from './repo.ts'
import { tellTrouble, toldOf } from './telling.ts'

/** Asked for, and each minute for what is left. */
export const sendRefundsJob = defineJob<Record<string, never>>({
  queue: 'refunds-send',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 5,
  expireInSeconds: 300,
})

/** Seconds between two tries, or two questions; the last one repeats. */
const waits = [30, 60, 120, 300, 600, 1800, 3600]
/** Tries after which somebody is told that a gateway does not take a refund, and days that it may have one in hand. */
const patience = { tries: 8, days: 7 }
const description = 'Refund'

type Deps = Pick<Context, 'db' | 'logger'>

/** Sends what waits and asks about what is under way. @returns how many there were. */
export async function sendDueRefunds(deps: Deps, gateways: Gateways, now: Date): Promise<number> {
  const names = gateways.all.filter(({ refund }) => refund !== undefined).map(({ id }) => id)
  const due = await takeDueReturns(deps.db, { gateways: names, waits, limit: 20, now })
  for (const id of due) {
    try {
      await moveOn(deps, gateways, id, now)
    } catch (error) {
      deps.logger.warn({ error, return: id }, 'a refund could not be moved on now')
    }
  }
  return due.length
}

async function moveOn(deps: Deps, gateways: Gateways, id: string, now: Date): Promise<void> {
  const row = await findReturn(deps.db, id)
  const payment = row && (await findPaymentByOrder(deps.db, row.order_id))
  const gateway = row && gateways.find(row.gateway)
  if (row === undefined || payment === undefined || gateway === undefined) return
  const given = { deps, gateway, row, payment, now }
  if (row.state === 'REQUESTED') await send(given)
  // Of one that has left, somebody says that it came back; one that had failed was in the gateway's hands all the same.
  if (row.state === 'SENT' || row.state === 'COMPLETED' || row.state === 'FAILED') await ask(given)
}

type Given = { deps: Deps; gateway: PaymentGateway; row: ReturnRow; payment: Payment; now: Date }

async function send(given: Given): Promise<void> {
  const { gateway, row, payment } = given
  if (gateway.refund === undefined) return
  const { id: externalId, amount, currency } = row
  const look = async () => gateway.findRefund?.({ refundId: null, externalId, order: payment.ref }).catch(unknownOf)
  const isAgain = row.attempts > 1
  // Gateways forget a request's key after hours, and would make it twice.
  if (isAgain && gateway.findsRefundsByName) {
    const found = await look()
    if (found !== undefined) return 'kind' in found ? wait(given, found.reason) : apply(given, found)
  }
  const made = await gateway.refund({ order: payment.ref, externalId, amount, currency, description }).catch(unknownOf)
  if (made.kind === 'made') return apply(given, made.refund)
  if (made.kind === 'unknown') return wait(given, made.reason)
  // It may have been made by an earlier try that took so long, and be refused as a second one now.
  if (isAgain) {
    if (!gateway.findsRefundsByName) return wait(given, `${made.reason}; look for it at the provider`, { isLost: true })
    const found = await look()
    if (found !== undefined && 'kind' in found) return wait(given, made.reason)
    if (found !== undefined) return apply(given, found)
  }
  await inTransaction(given.deps.db, async (trx) => {
    await lockTransaction(trx, payment.depositId)
    const now = await requireLocked(trx, row.id)
    if (now.state === 'REQUESTED') await failRefund(trx, { row: now, payment, reason: made.reason, now: given.now })
  })
}

const unknownOf = (error: unknown) => {
  if (error instanceof GatewayUnavailable) return { kind: 'unknown', reason: error.message } as const
  throw error
}

async function ask(given: Given): Promise<void> {
  const { gateway, row, payment } = given
  const names = { refundId: row.gateway_return_id, externalId: row.id, order: payment.ref }
  const found = await gateway.findRefund?.(names).catch(unknownOf)
  if (found === undefined && row.state === 'FAILED') return forget(given)
  if (found === undefined) return wait(given, 'the provider does not know it', { isLost: true })
  if ('kind' in found) return wait(given, found.reason)
  if (found.status === 'pending') return wait(given, null)
  return apply(given, found)
}

/** It failed here and is not there, as it should be; only a gateway that was slow to make it may say otherwise yet. */
async function forget({ deps, row }: Given): Promise<void> {
  if (row.attempts < patience.tries) return
  await inTransaction(deps.db, (trx) => updateReturn(trx, row.id, { next_try_at: null }))
}

async function apply(given: Given, refund: GatewayRefund): Promise<void> {
  const { deps, row, payment, now } = given
  const outcome = await inTransaction(deps.db, async (trx) => {
    await lockTransaction(trx, payment.depositId)
    const locked = await requireLocked(trx, row.id)
    if (locked.state === 'COMPLETED' || locked.state === 'FAILED')
      await updateReturn(trx, row.id, { next_try_at: null })
    return applyRefund(trx, { row: locked, payment, refund, source: 'answer', now })
  })
  if (outcome !== 'mismatch') return
  deps.logger.error(
    { return: row.id, refund },
    'REFUND MISMATCH: a gateway tells of another amount or payment than ours',
  )
  await wait(given, 'the provider tells of another amount or payment', { isLost: true })
}

/** It stays as it is until the next turn; somebody is told when that has been so for long. */
async function wait(
  { deps, gateway, row, payment, now }: Given,
  failure: string | null,
  { isLost = false }: { isLost?: boolean } = {},
): Promise<void> {
  const days = row.sent_at === null ? 0 : (now.getTime() - row.sent_at.getTime()) / 86_400_000
  const isLong = row.state === 'SENT' ? days > patience.days : row.attempts >= patience.tries
  await inTransaction(deps.db, async (trx) => {
    await lockTransaction(trx, payment.depositId)
    const locked = await requireLocked(trx, row.id)
    if (row.finished_at === null && locked.finished_at !== null) {
      // Ended by hand meanwhile, and perhaps made there: nobody has heard its name.
      if (locked.gateway_return_id !== null) return
      if (gateway.findsRefundsByName)
        return updateReturn(trx, row.id, { next_try_at: new Date(now.getTime() + firstPollMilliseconds) })
      const reason = `ended by hand while the provider was asked for it; look for it there`
      return tellTrouble(trx, toldOf(row, payment), reason, { isNews: true })
    }
    // Why it failed stands there already.
    if (row.state !== 'FAILED') await updateReturn(trx, row.id, { failure })
    if (isLost || isLong) await tellTrouble(trx, toldOf(row, payment), failure ?? 'still under way')
  })
}
