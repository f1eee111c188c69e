import { sql } from 'kysely'
import type { TransactionAction } from '@wakestone/contract/states'
import type { Handle } from '#src/db/client.ts'

/** A payment that came in, with the customer's transaction of it. */
export type Payment = {
  orderId: string
  depositId: string
  userId: string
  username: string
  walletId: string
  currency: string
  /** What came in. */
  amount: number
  /** `DEPOSIT`, or what somebody has sold. */
  action: TransactionAction
  countryCode: string
  vatRate: number
  provider: string
  gateway: string
  ref: { orderId: string; externalId: string; paymentId: string | null; currency: string }
}

// The second payment of an order has a transaction of its own; those of old do not.
const payments = (db: Handle) =>
  db
    .selectFrom('payment_orders as po')
    .innerJoin('transactions as t', (join) =>
      join.on(
        sql<boolean>`t.id = coalesce((select own.id from transactions own where own.ledger_transaction_id = po.ledger_transaction_id), po.transaction_id)`,
      ),
    )
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select([
      'po.id as order_id',
      'po.gateway',
      'po.gateway_order_id',
      'po.external_id',
      'po.payment_id',
      't.id as deposit_id',
      't.user_id',
      't.wallet_id',
      't.currency',
      't.amount',
      't.action',
      't.country_code',
      't.vat_rate',
      't.provider',
      'u.username',
    ])
    .where('po.state', '=', 'paid')

type FoundPayment = NonNullable<Awaited<ReturnType<ReturnType<typeof payments>['executeTakeFirst']>>>

const showPayment = (row: FoundPayment): Payment => ({
  orderId: row.order_id,
  depositId: row.deposit_id,
  userId: row.user_id,
  username: row.username,
  walletId: row.wallet_id,
  currency: row.currency,
  amount: row.amount,
  action: row.action as TransactionAction,
  countryCode: row.country_code,
  vatRate: Number(row.vat_rate),
  provider: row.provider,
  gateway: row.gateway,
  ref: {
    orderId: row.gateway_order_id ?? '',
    externalId: row.external_id,
    paymentId: row.payment_id,
    currency: row.currency,
  },
})

export async function findPaymentOf(db: Handle, depositId: string): Promise<Payment | undefined> {
  const row = await payments(db)
    .where(
      'po.ledger_transaction_id',
      '=',
      sql<string>`(select d.ledger_transaction_id from transactions d where d.id = ${depositId})`,
    )
    .executeTakeFirst()
  return row && showPayment(row)
}

export async function findPaymentByOrder(db: Handle, orderId: string): Promise<Payment | undefined> {
  const row = await payments(db).where('po.id', '=', orderId).executeTakeFirst()
  return row && showPayment(row)
}

/** By whatever the gateway names of it: the money, its order, or our name of that. */
export async function findPaymentByNames(
  db: Handle,
  gateway: string,
  names: { paymentId: string | null; orderId: string | null; externalId: string | null },
): Promise<Payment | undefined> {
  const { paymentId, orderId, externalId } = names
  const rows = await payments(db)
    .where('po.gateway', '=', gateway)
    .where((found) =>
      found.or([
        ...(paymentId === null ? [] : [found('po.payment_id', '=', paymentId)]),
        ...(orderId === null ? [] : [found('po.gateway_order_id', '=', orderId)]),
        ...(externalId === null ? [] : [found('po.external_id', '=', externalId)]),
      ]),
    )
    .limit(20)
    .execute()
  const found =
    rows.find((row) => row.payment_id === paymentId) ??
    rows.find((row) => row.gateway_order_id === orderId) ??
    // A name of ours may have been paid twice: it then tells too little.
    (rows.length === 1 && paymentId === null && orderId === null ? rows[0] : undefined)
  return found && showPayment(found)
}
