import { type Selectable, sql } from 'kysely'
import type { TransactionStatus } from '@wakestone/contract/states'
import type { OrderRef } from '#src/adapters/payments/gateway.ts'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import type { PaymentOrders, Transactions } from '#src/db/types.gen.ts'

export type OrderRow = Selectable<PaymentOrders>

/** A transaction that nobody else changes until this one ends. */
export function lockTransaction(trx: Transaction, id: string): Promise<Selectable<Transactions> | undefined> {
  return trx.selectFrom('transactions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function setTransactionStatus(
  trx: Transaction,
  id: string,
  change: { status: TransactionStatus; ledgerTransactionId?: string; failure?: object },
): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({
      status: change.status,
      ...(change.ledgerTransactionId === undefined ? {} : { ledger_transaction_id: change.ledgerTransactionId }),
      failure: change.failure === undefined ? null : JSON.stringify(change.failure),
    })
    .where('id', '=', id)
    .execute()
}

export function findOrdersOf(db: Handle, transactionId: string): Promise<OrderRow[]> {
  return db.selectFrom('payment_orders').selectAll().where('transaction_id', '=', transactionId).orderBy('id').execute()
}

/** By our name of it, or by the gateway's where that does not tell ours. */
export function findOrder(
  db: Handle,
  gateway: string,
  { orderId, externalId }: { orderId: string; externalId: string | null },
): Promise<OrderRow | undefined> {
  const orders = db.selectFrom('payment_orders').selectAll().where('gateway', '=', gateway)
  const found =
    externalId === null
      ? orders.where('gateway_order_id', '=', orderId)
      : orders.where('external_id', '=', externalId).where('follows', 'is', null)
  return found.executeTakeFirst()
}

/** How to ask the gateway about the order that it means by one of these names. */
export async function findOrderRef(
  db: Handle,
  gateway: string,
  { orderId, paymentId, externalId }: { orderId: string | null; paymentId: string | null; externalId: string | null },
): Promise<OrderRef | undefined> {
  const rows = await db
    .selectFrom('payment_orders')
    .innerJoin('transactions', 'transactions.id', 'payment_orders.transaction_id')
    .select(['gateway_order_id', 'external_id', 'payment_id', 'transactions.currency'])
    .where('gateway', '=', gateway)
    .where((found) =>
      found.or([
        ...(orderId === null ? [] : [found('gateway_order_id', '=', orderId)]),
        ...(paymentId === null ? [] : [found('payment_id', '=', paymentId)]),
        ...(externalId === null ? [] : [found('external_id', '=', externalId)]),
      ]),
    )
    .orderBy('payment_orders.id')
    .limit(20)
    .execute()
  const row =
    rows.find(({ gateway_order_id }) => gateway_order_id !== null && gateway_order_id === orderId) ??
    rows.find(({ payment_id }) => payment_id !== null && payment_id === paymentId) ??
    rows[0]
  // One whose creation was never answered is known by our name alone.
  const named = orderId ?? row?.gateway_order_id ?? null
  if (row === undefined || named === null) return undefined
  return { orderId: named, externalId: row.external_id, paymentId: row.payment_id, currency: row.currency }
}

export async function insertOrder(
  trx: Transaction,
  order: { transactionId: string; gateway: string; externalId: string; leaseSeconds: number; byCode: boolean },
): Promise<OrderRow> {
  return trx
    .insertInto('payment_orders')
    .values({
      transaction_id: order.transactionId,
      gateway: order.gateway,
      external_id: order.externalId,
      state: 'creating',
      lease_until: inSeconds(order.leaseSeconds),
      by_code: order.byCode,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An order with which the gateway went on after `named`. Undefined when that id belongs to another transaction. */
export function insertFollower(
  trx: Transaction,
  named: OrderRow,
  order: { gatewayOrderId: string; redirectUrl: string | null; pollInSeconds: number },
): Promise<OrderRow | undefined> {
  return trx
    .insertInto('payment_orders')
    .values({
      transaction_id: named.transaction_id,
      gateway: named.gateway,
      external_id: named.external_id,
      follows: named.id,
      gateway_order_id: order.gatewayOrderId,
      redirect_url: order.redirectUrl,
      state: 'open',
      by_code: named.by_code,
      opened_at: sql<Date>`now()`,
      next_poll_at: inSeconds(order.pollInSeconds),
    })
    .onConflict((conflict) => conflict.columns(['gateway', 'gateway_order_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function leaseOrder(trx: Transaction, id: string, seconds: number): Promise<void> {
  await trx
    .updateTable('payment_orders')
    .set({ lease_until: inSeconds(seconds) })
    .where('id', '=', id)
    .execute()
}

/** The gateway has made the order. One that a notification has moved on meanwhile keeps its state. */
export async function openOrder(
  trx: Transaction,
  id: string,
  order: { gatewayOrderId: string; redirectUrl: string | null; pollInSeconds: number },
): Promise<void> {
  const stillCreating = sql<boolean>`state = 'creating'`
  await trx
    .updateTable('payment_orders')
    .set({
      gateway_order_id: order.gatewayOrderId,
      redirect_url: order.redirectUrl,
      opened_at: sql`now()`,
      state: sql`case when ${stillCreating} then 'open' else state end`,
      next_poll_at: sql`case when ${stillCreating} then ${inSeconds(order.pollInSeconds)} else next_poll_at end`,
    })
    .where('id', '=', id)
    .execute()
}

/** The payer's address may be another one by now. */
export async function sendPayerAgain(
  db: Db,
  order: { gateway: string; orderId: string; redirectUrl: string | null },
): Promise<void> {
  if (order.redirectUrl === null) return
  await db
    .updateTable('payment_orders')
    .set({ redirect_url: order.redirectUrl })
    .where('gateway', '=', order.gateway)
    .where('gateway_order_id', '=', order.orderId)
    .execute()
}

/** How an attempt to make an order ended without one: `creating` may be tried again under the same name. */
export async function endAttempt(db: Handle, id: string, state: 'creating' | 'lost' | 'refused'): Promise<void> {
  await db
    .updateTable('payment_orders')
    .set({ state, lease_until: null })
    .where('id', '=', id)
    .where('state', '=', 'creating')
    .execute()
}

export async function updateOrder(
  trx: Transaction,
  id: string,
  change: {
    state?: OrderRow['state']
    gatewayOrderId?: string
    paymentId?: string
    ledgerTransactionId?: string
    pollInSeconds?: number | null
    /** The gateway's word that nobody here knows. */
    heldStatus?: string | null
  },
): Promise<void> {
  await trx
    .updateTable('payment_orders')
    .set({
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.gatewayOrderId === undefined ? {} : { gateway_order_id: change.gatewayOrderId }),
      ...(change.paymentId === undefined ? {} : { payment_id: change.paymentId }),
      ...(change.ledgerTransactionId === undefined ? {} : { ledger_transaction_id: change.ledgerTransactionId }),
      ...(change.heldStatus === undefined ? {} : { held_status: change.heldStatus }),
      ...(change.pollInSeconds === undefined
        ? {}
        : { next_poll_at: change.pollInSeconds === null ? null : inSeconds(change.pollInSeconds) }),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Takes orders whose turn it is to be asked for, and sets their next turn at once: should the asking die, it comes
 * again. Several workers take different ones.
 * @param waits seconds until the second, third … turn; the last one repeats.
 */
export async function takeDueOrders(
  db: Db,
  gateways: readonly string[],
  waits: readonly number[],
  limit: number,
): Promise<{ gateway: string; ref: OrderRef }[]> {
  if (gateways.length === 0) return []
  const due = db
    .selectFrom('payment_orders')
    .select('id')
    .where('gateway', 'in', gateways)
    .where('next_poll_at', '<=', sql<Date>`now()`)
    .where('gateway_order_id', 'is not', null)
    .orderBy('next_poll_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await db
    .updateTable('payment_orders')
    .from('transactions')
    .set({
      polls: sql`polls + 1`,
      polled_at: sql`now()`,
      next_poll_at: sql`now() + make_interval(secs => (${sql.val([...waits])}::int[])[least(polls + 1, ${waits.length})])`,
    })
    .whereRef('transactions.id', '=', 'payment_orders.transaction_id')
    .where('payment_orders.id', 'in', due)
    .returning(['gateway', 'gateway_order_id', 'external_id', 'transactions.currency'])
    .execute()
  return rows.map(({ gateway, gateway_order_id, external_id, currency }) => ({
    gateway,
    ref: { orderId: gateway_order_id ?? '', externalId: external_id, paymentId: null, currency },
  }))
}

/** The payer is back: ask soon, unless that was done in the last two seconds. */
export async function hastenPoll(db: Db, transactionId: string): Promise<void> {
  await db
    .updateTable('payment_orders')
    .set({ next_poll_at: sql`now()` })
    .where('transaction_id', '=', transactionId)
    .where('state', '=', 'open')
    .where('next_poll_at', '>', sql<Date>`now()`)
    .where((order) =>
      order.or([order('polled_at', 'is', null), order('polled_at', '<', sql<Date>`now() - interval '2 s'`)]),
    )
    .execute()
}

/** Open top-ups that have waited too long to be paid any more. One that is held waits for somebody to look. */
export async function findForgotten(
  db: Db,
  {
    withoutOrderSeconds,
    withOrderSeconds,
    limit,
  }: { withoutOrderSeconds: number; withOrderSeconds: number; limit: number },
): Promise<string[]> {
  const openOrders = db
    .selectFrom('payment_orders')
    .select('payment_orders.id')
    .where(sql<boolean>`payment_orders.transaction_id = transactions.id`)
    .where('payment_orders.state', '=', 'open')
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('status', 'in', ['NEW', 'PROCESSING', 'READY_TO_CAPTURE'])
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${withoutOrderSeconds})`)
    .where((row) => row.not(row.exists(openOrders.where('held_status', 'is not', null))))
    .where((row) =>
      row.or([
        row('created_at', '<', sql<Date>`now() - make_interval(secs => ${withOrderSeconds})`),
        row.not(row.exists(openOrders)),
      ]),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findPayer(db: Handle, userId: string): Promise<{ email: string }> {
  return db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
}

const inSeconds = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`

/** The wallet that a server was rented from. */
export function findWalletOfServer(db: Handle, serverId: string) {
  return db
    .selectFrom('servers')
    .innerJoin('services', 'services.id', 'servers.service_id')
    .innerJoin('wallets', 'wallets.id', 'services.wallet_id')
    .select(['wallets.user_id', 'wallets.currency'])
    .where('servers.id', '=', serverId)
    .executeTakeFirst()
}
