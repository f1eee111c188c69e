import { type Selectable, sql } from 'kysely'
import type { PaymentReturnKind, PaymentReturnState } from '@wakestone/contract/money/payment-return'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import type { PaymentReturns } from '#src/db/types.gen.ts'
import { findPaymentByOrder, type Payment } from './payments-repo.ts'

export type ReturnRow = Omit<Selectable<PaymentReturns>, 'kind' | 'state'> & {
  kind: PaymentReturnKind
  state: PaymentReturnState
}

export async function newReturnId(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(trx)
  return (rows[0] as { id: string }).id
}

export type NewReturn = {
  id: string
  kind: PaymentReturnKind
  state: PaymentReturnState
  payment: Payment
  amount: number
  credit: number
  gatewayReturnId: string | null
  happenedAt: Date | null
  reason: string
  askedBy: string | null
  idempotency?: { key: string; requestHash: Buffer } | undefined
  transactionId: string | null
  /** Entered by hand under this name; the gateway has not told of it. */
  enteredCase?: string | undefined
  /** Won, by this name of the gateway's. */
  returnedCase?: string | undefined
  now: Date
}

export async function insertReturn(trx: Transaction, made: NewReturn): Promise<void> {
  const { payment } = made
  const isOver = made.state === 'COMPLETED' || made.state === 'RETURNED'
  await trx
    .insertInto('payment_returns')
    .values({
      id: made.id,
      kind: made.kind,
      state: made.state,
      order_id: payment.orderId,
      deposit_id: payment.depositId,
      user_id: payment.userId,
      wallet_id: payment.walletId,
      currency: payment.currency,
      amount: made.amount,
      credit: made.credit,
      gateway: payment.gateway,
      gateway_return_id: made.gatewayReturnId,
      happened_at: made.happenedAt,
      reason: made.reason,
      asked_by: made.askedBy,
      idempotency_key: made.idempotency?.key ?? null,
      request_hash: made.idempotency?.requestHash ?? null,
      transaction_id: made.transactionId,
      entered_case: made.enteredCase ?? null,
      returned_case: made.returnedCase ?? null,
      told: made.enteredCase === undefined,
      created_at: made.now,
      next_try_at: made.state === 'REQUESTED' ? made.now : null,
      finished_at: isOver ? made.now : null,
    })
    .execute()
}

export async function updateReturn(
  trx: Transaction,
  id: string,
  change: {
    state?: PaymentReturnState
    gateway_return_id?: string
    returned_transaction_id?: string | null
    failure?: string | null
    next_try_at?: Date | null
    happened_at?: Date | null
    entered_case?: string | null
    returned_case?: string | null
    returned_movement?: string | null
    told?: boolean
    sent_at?: Date
    finished_at?: Date
  },
): Promise<void> {
  await trx.updateTable('payment_returns').set(change).where('id', '=', id).execute()
}

const rows = (db: Handle) => db.selectFrom('payment_returns').selectAll().$castTo<ReturnRow>()

export function findReturn(db: Handle, id: string): Promise<ReturnRow | undefined> {
  return rows(db).where('id', '=', id).executeTakeFirst()
}

/** The return, which nobody else then moves on. Whoever moves money locks the payment's transaction before. */
export function lockReturn(trx: Transaction, id: string): Promise<ReturnRow | undefined> {
  return rows(trx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function findReturnByKey(db: Handle, askedBy: string, key: string): Promise<ReturnRow | undefined> {
  return rows(db).where('asked_by', '=', askedBy).where('idempotency_key', '=', key).executeTakeFirst()
}

/** All of a payment, in the order in which they came. */
export function findReturnsOfOrder(db: Handle, orderId: string): Promise<ReturnRow[]> {
  return rows(db).where('order_id', '=', orderId).orderBy('id').execute()
}

/** A refund of ours by its name here, or by the gateway's, which has no other kind of that name. */
export function findReturnByNames(
  db: Handle,
  gateway: string,
  { id, gatewayReturnId, kinds }: { id: string | null; gatewayReturnId: string; kinds: readonly PaymentReturnKind[] },
): Promise<ReturnRow | undefined> {
  return (
    rows(db)
      .where('gateway', '=', gateway)
      .where('kind', 'in', [...kinds])
      .where((found) =>
        found.or([
          found('gateway_return_id', '=', gatewayReturnId),
          found('entered_case', '=', gatewayReturnId),
          ...(id !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
            ? [found.and([found('id', '=', id), found('kind', '=', 'refund')])]
            : []),
        ]),
      )
      // Of two with one name, the one that was given back past us is the later word.
      .orderBy(sql`kind = 'outside' desc`)
      .orderBy(sql`gateway_return_id = ${gatewayReturnId} desc nulls last`)
      .limit(1)
      .executeTakeFirst()
  )
}

/**
 * Refunds that ended in a span under a name that their gateway knows, with their payment. One that failed here and has
 * left after all is the one that was taken for it.
 */
export async function findEndedRefunds(
  db: Handle,
  { gateway, from, until }: { gateway: string; from: Date; until: Date },
): Promise<{ row: ReturnRow; payment: Payment }[]> {
  const ended = await rows(db)
    .where('gateway', '=', gateway)
    .where('kind', 'in', ['refund', 'outside'])
    .where('gateway_return_id', 'is not', null)
    .where('finished_at', '>=', from)
    .where('finished_at', '<', until)
    .where(
      sql<boolean>`not (state = 'FAILED' and exists (select from payment_returns left_after_all
        where left_after_all.gateway = payment_returns.gateway and left_after_all.kind = 'outside'
          and left_after_all.gateway_return_id = payment_returns.gateway_return_id))`,
    )
    .orderBy('id')
    .execute()
  const found: { row: ReturnRow; payment: Payment }[] = []
  for (const row of ended) {
    const payment = await findPaymentByOrder(db, row.order_id)
    if (payment !== undefined) found.push({ row, payment })
  }
  return found
}

/**
 * Takes refunds whose turn it is, and sets their next turn at once: should the asking die, it comes again. Several
 * workers take different ones.
 * @param waits seconds until the second, third … turn; the last one repeats.
 */
export async function takeDueReturns(
  db: Db,
  { gateways, waits, limit, now }: { gateways: readonly string[]; waits: readonly number[]; limit: number; now: Date },
): Promise<string[]> {
  if (gateways.length === 0) return []
  const due = db
    .selectFrom('payment_returns')
    .select('id')
    .where('gateway', 'in', gateways)
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const taken = await db
    .updateTable('payment_returns')
    .set({
      attempts: sql`attempts + 1`,
      next_try_at: sql`${now}::timestamptz + make_interval(secs => (${sql.val([...waits])}::int[])[least(attempts + 1, ${waits.length})])`,
    })
    .where('id', 'in', due)
    .returning('id')
    .execute()
  return taken.map(({ id }) => id)
}
