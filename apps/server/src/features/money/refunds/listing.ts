import { DomainError } from '@wakestone/contract/errors'
import type { PaymentReturn } from '@wakestone/contract/money/payment-return'
import type { Handle } from '#src/db/client.ts'
import { findShownReturn, findShownReturns, findShownReturnsOfOrder, type ShownRow } from './listing-repo.ts'

function show(row: ShownRow): PaymentReturn {
  const money = (amount: number) => ({ amount, currency: row.currency })
  return {
    id: row.id,
    kind: row.kind as PaymentReturn['kind'],
    state: row.state as PaymentReturn['state'],
    deposit_id: row.deposit_id,
    user: { id: row.user_id, username: row.username },
    buyer: row.player === null ? null : { player: row.player, email: row.email },
    wallet_id: row.wallet_id,
    amount: money(row.amount),
    owed: money(row.owed ?? 0),
    still_owed: money(row.still_owed ?? 0),
    gateway: row.gateway,
    gateway_return_id: row.gateway_return_id,
    reason: row.reason,
    asked_by: row.asked_by === null ? null : { id: row.asked_by, username: row.asked_by_name ?? '' },
    failure: row.failure,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

/** @throws DomainError `resource_not_found`. */
export async function showReturnById(db: Handle, id: string): Promise<PaymentReturn> {
  const row = await findShownReturn(db, id)
  if (row === undefined) throw new DomainError('resource_not_found')
  return show(row)
}

export async function listReturnsOfOrder(db: Handle, orderId: string): Promise<PaymentReturn[]> {
  return (await findShownReturnsOfOrder(db, orderId)).map(show)
}

/** Newest first. */
export async function listReturns(
  db: Handle,
  filter: Parameters<typeof findShownReturns>[1],
): Promise<{ data: PaymentReturn[]; count: number }> {
  const { rows, count } = await findShownReturns(db, filter)
  return { data: rows.map(show), count }
}
