/** What the nightly comparison asks of returns, and makes good of them. */
import type { GatewayRefund, Movement } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import type { Db, Handle } from '#src/db/client.ts'
import { findReturnedBy, handleChargeback } from './chargebacks.ts'
import { handleRefund } from './handle.ts'
import type { Payment } from './payments-repo.ts'
import { findEndedRefunds, findReturnByNames, type ReturnRow } from './repo.ts'

type Deps = Pick<Context, 'db' | 'logger'>
/** A refund of ours as it is compared. */
export type EndedRefund = {
  id: string
  depositId: string
  gatewayReturnId: string | null
  state: ReturnRow['state']
  amount: number
  currency: string
  order: Payment['ref']
}

/** What our books have of a movement that is no payment; undefined: nothing. Minor units. */
export async function findReturnOf(
  db: Db,
  gateway: string,
  movement: Movement,
): Promise<{ amount: number; depositId: string; isOver: boolean } | undefined> {
  const { kind, id, externalId } = movement
  const names = { id: kind === 'refund' ? externalId : null, gatewayReturnId: id }
  const row =
    kind === 'chargeback_returned'
      ? await findReturnedBy(db, gateway, movement)
      : await findReturnByNames(db, gateway, {
          ...names,
          kinds: kind === 'refund' ? ['refund', 'outside'] : ['chargeback'],
        })
  if (row === undefined || row.state === 'FAILED') return undefined
  // Under one name the gateway has two: this one is not ours.
  const isOther = kind !== 'chargeback_returned' && row.gateway_return_id !== null && row.gateway_return_id !== id
  if (isOther) return undefined
  return { amount: row.amount, depositId: row.deposit_id, isOver: row.finished_at !== null }
}

/** Books a movement as if it had been told of. @returns whether our books have it now. */
export async function handleMovement(deps: Deps, gateway: string, movement: Movement, now: Date): Promise<boolean> {
  const { kind, id, orderId, externalId, paymentId, amount, currency, at } = movement
  if (kind === 'refund') {
    const refund = { refundId: id, externalId, orderId, paymentId, amount, currency, status: 'done' } as const
    await handleRefund(deps, gateway, { refund: { ...refund, gatewayStatus: 'listed' }, source: 'answer', now })
  } else if (kind !== 'capture') {
    const status = kind === 'chargeback' ? 'taken' : 'returned'
    const chargeback = { chargebackId: id, orderId, externalId: null, paymentId, amount, currency, status, at } as const
    await handleChargeback(deps, gateway, {
      chargeback: { ...chargeback, reason: null },
      isListed: true,
      now,
    })
  }
  return (await findReturnOf(deps.db, gateway, movement))?.amount === amount
}

/** Refunds that ended on a day. */
export async function listEndedRefunds(
  db: Handle,
  span: { gateway: string; from: Date; until: Date },
): Promise<EndedRefund[]> {
  return (await findEndedRefunds(db, span)).map(({ row, payment }) => ({
    id: row.id,
    depositId: row.deposit_id,
    gatewayReturnId: row.gateway_return_id,
    state: row.state,
    amount: row.amount,
    currency: row.currency,
    order: payment.ref,
  }))
}

/** Brings our books in line with what a gateway answers about a refund. @returns whether that changed them. */
export async function handleAnswer(deps: Deps, gateway: string, refund: GatewayRefund, now: Date): Promise<boolean> {
  return (await handleRefund(deps, gateway, { refund, source: 'answer', now })) === 'applied'
}
