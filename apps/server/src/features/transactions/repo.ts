import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import type { Transaction as ShownTransaction } from '@wakestone/contract/transaction'
import { openTransactionStatuses, type TransactionAction, type TransactionStatus } from '@wakestone/contract/states'
import { type Handle, runPrepared, type Transaction } from '#src/db/client.ts'
import type { Transactions } from '#src/db/types.gen.ts'

export type TransactionRow = Selectable<Transactions>

export type NewTransaction = {
  userId: string
  walletId: string
  currency: string
  status: TransactionStatus
  action: TransactionAction
  provider: ShownTransaction['provider']
  amount: number
  countryCode: string
  vatRate: number
  positions: ShownTransaction['positions']
  details?: object
  language?: 'en' | 'pl' | 'de'
  payerIp?: string
  ledgerTransactionId?: string | null
  idempotency?: { key: string; requestHash: Buffer } | undefined
}

/** @returns undefined when this user has used the idempotency key before. */
export function insertTransaction(trx: Transaction, row: NewTransaction): Promise<TransactionRow | undefined> {
  return trx
    .insertInto('transactions')
    .values({
      user_id: row.userId,
      wallet_id: row.walletId,
      currency: row.currency,
      status: row.status,
      action: row.action,
      provider: row.provider,
      amount: row.amount,
      country_code: row.countryCode,
      vat_rate: row.vatRate,
      positions: JSON.stringify(row.positions),
      details: JSON.stringify(row.details ?? {}),
      language: row.language ?? 'en',
      payer_ip: row.payerIp ?? null,
      ledger_transaction_id: row.ledgerTransactionId ?? null,
      idempotency_key: row.idempotency?.key ?? null,
      request_hash: row.idempotency?.requestHash ?? null,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The transaction of a payment that came in for an order which had been paid already. @returns its id. */
export async function insertSecondPayment(
  trx: Transaction,
  first: TransactionRow,
  ledgerTransactionId: string,
): Promise<string> {
  const { id } = await trx
    .insertInto('transactions')
    .values({
      user_id: first.user_id,
      wallet_id: first.wallet_id,
      currency: first.currency,
      status: 'COMPLETED',
      action: first.action,
      provider: first.provider,
      amount: first.amount,
      country_code: first.country_code,
      vat_rate: first.vat_rate,
      positions: JSON.stringify(first.positions),
      details: JSON.stringify({ second_payment_of: first.id }),
      language: first.language,
      payer_ip: first.payer_ip,
      ledger_transaction_id: ledgerTransactionId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * With what its payment orders say while it is open: where to send the payer, whether a code pays, and when one was sent.
 */
const selectShown = (db: Handle) =>
  db
    .selectFrom('transactions')
    .leftJoinLateral(
      ({ selectFrom, fn, lit }) =>
        selectFrom('payment_orders')
          .select([
            fn.coalesce(sql<boolean>`bool_or(by_code)`, lit(false)).as('by_code'),
            sql<string | null>`(array_agg(redirect_url order by id desc) filter (where state = 'open'))[1]`.as(
              'redirect_url',
            ),
            sql<Date | null>`max(opened_at) filter (where state = 'open' and by_code)`.as('code_sent_at'),
          ])
          .whereRef('payment_orders.transaction_id', '=', 'transactions.id')
          .where('transactions.status', 'in', openTransactionStatuses)
          .as('orders'),
      (join) => join.onTrue(),
    )
    .selectAll('transactions')
    .select(['orders.redirect_url', 'orders.code_sent_at', sql<boolean>`orders.by_code`.as('by_code')])

export function findTransaction(db: Handle, id: string) {
  return selectShown(db).where('id', '=', id).executeTakeFirst()
}

export function findTransactions(db: Handle, ids: readonly string[]) {
  return selectShown(db).where('id', 'in', ids).orderBy('id', 'desc').execute()
}

type Page = { after?: string | undefined; limit: number }
type ShownRow = Awaited<ReturnType<ReturnType<typeof selectShown>['executeTakeFirstOrThrow']>>

/**
 * Newest first; `count` is of all that are meant, not of the page alone.
 * @param name of the statement, which connections then plan once: that would take longer than reading the page.
 */
async function findPage(
  db: Handle,
  { name, meant }: { name: string; meant: Expression<SqlBool> },
  { after, limit }: Page,
): Promise<{ rows: ShownRow[]; count: number }> {
  const counted = db
    .selectFrom('transactions')
    .select(sql<number>`count(*)`.as('count'))
    .where(meant)
  let page = selectShown(db).select(counted.as('count')).where(meant)
  if (after !== undefined) page = page.where('id', '<', after)
  const { sql: text, parameters } = page.orderBy('id', 'desc').limit(limit).compile()
  const statement = { name: `${name}${after === undefined ? '' : '-after'}`, text }
  const rows = await runPrepared<ShownRow & { count: number }>(db, statement, [...parameters])
  if (after === undefined || rows.length > 0) return { rows, count: rows[0]?.count ?? 0 }
  return { rows, ...(await counted.executeTakeFirstOrThrow()) }
}

export const findTransactionsOfUser = (db: Handle, userId: string, page: Page) =>
  findPage(db, { name: 'transactions-of-user', meant: sql<SqlBool>`user_id = ${userId}` }, page)

export const findTransactionsOfWallet = (db: Handle, walletId: string, page: Page) =>
  findPage(db, { name: 'transactions-of-wallet', meant: sql<SqlBool>`wallet_id = ${walletId}` }, page)

/** Of a service and of what was added to it. */
export const findTransactionsOfService = (db: Handle, serviceId: string, page: Page) =>
  findPage(
    db,
    {
      name: 'transactions-of-service',
      meant: sql<SqlBool>`details ? 'service_id' and details ->> 'service_id' = ${serviceId}`,
    },
    page,
  )

export function findTransactionByKey(db: Handle, userId: string, key: string) {
  return selectShown(db).where('user_id', '=', userId).where('idempotency_key', '=', key).executeTakeFirst()
}

export function findTransactionByPosting(db: Handle, ledgerTransactionId: string) {
  return selectShown(db).where('ledger_transaction_id', '=', ledgerTransactionId).executeTakeFirst()
}

export async function findOwner(db: Handle, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('transactions').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}
