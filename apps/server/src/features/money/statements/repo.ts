import { type Selectable, sql, type SqlBool } from 'kysely'
import type { Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import { openTransactionStatuses, type TransactionAction, type TransactionStatus } from '@wakestone/contract/states'
import { type Handle, type Prepared, runPrepared, type Transaction } from '#src/db/client.ts'
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
 * With the payment that it gives back, where it is a return, and with what its payment orders say while it is open: where to send the payer, whether a code pays, and when one was sent.
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
          .where(
            'transactions.status',
            'in',
            openTransactionStatuses.map((status) => sql.lit(status)),
          )
          .as('orders'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('payment_returns')
          .innerJoin('transactions as paid', 'paid.id', 'payment_returns.deposit_id')
          .select([
            'paid.id as paid_id',
            'paid.created_at as paid_at',
            'paid.action as paid_action',
            'paid.provider as paid_by',
            'paid.amount as paid_amount',
          ])
          .where(sql<SqlBool>`payment_returns.id = (transactions.details ->> 'return_id')::uuid`)
          .as('returned'),
      (join) => join.onTrue(),
    )
    .select([
      'id',
      'user_id',
      'wallet_id',
      'currency',
      'status',
      'action',
      'provider',
      'amount',
      'country_code',
      'vat_rate',
      'positions',
      'invoice_id',
      'created_at',
      sql<string | null>`details ->> 'return_kind'`.as('return_kind'),
      sql<string | null>`case when transactions.action = 'UPGRADE_SERVICE' then details ->> 'product_before' end`.as(
        'plan_before',
      ),
      sql<string | null>`details ->> 'product_id'`.as('plan_after'),
      'paid_id',
      'paid_at',
      'paid_action',
      'paid_by',
      'paid_amount',
      'orders.redirect_url',
      'orders.code_sent_at',
      sql<boolean>`orders.by_code`.as('by_code'),
    ])

export function findTransaction(db: Handle, id: string) {
  return selectShown(db).where('id', '=', id).executeTakeFirst()
}

export function findTransactions(db: Handle, ids: readonly string[]) {
  return selectShown(db).where('id', 'in', ids).orderBy('id', 'desc').execute()
}

type Page = { after?: string | undefined; limit: number }
/** A transaction with what it is shown with. */
export type ShownRow = Awaited<ReturnType<ReturnType<typeof selectShown>['executeTakeFirstOrThrow']>>

/** Whose transactions: what `$1` is compared with. */
const meant = {
  user: 'user_id = $1',
  wallet: 'wallet_id = $1',
  /** And of what was added to it. */
  service: `details ? 'service_id' and details ->> 'service_id' = $1`,
}
type Meant = keyof typeof meant

const counted = (db: Handle, whose: Meant) =>
  db
    .selectFrom('transactions')
    .select(sql<number>`count(*)`.as('count'))
    .where(sql.raw<SqlBool>(meant[whose]))

const statements = new Map<string, Prepared>()

/**
 * The statement of a page, built once: both the query builder and the database's planner take longer than reading it.
 * `$2` is how many, `$3` the last one seen.
 */
function pageOf(db: Handle, whose: Meant, isFirst: boolean): Prepared {
  const name = `transactions-of-${whose}${isFirst ? '' : '-after'}`
  const known = statements.get(name)
  if (known !== undefined) return known
  let page = selectShown(db).select(counted(db, whose).as('count')).where(sql.raw<SqlBool>(meant[whose]))
  if (!isFirst) page = page.where(sql.raw<SqlBool>('id < $3'))
  const statement = { name, text: page.orderBy('id', 'desc').limit(sql.raw<number>('$2')).compile().sql }
  statements.set(name, statement)
  return statement
}

/** Newest first; `count` is of all that are meant, not of the page alone. */
async function findPage(
  db: Handle,
  whose: Meant,
  id: string,
  { after, limit }: Page,
): Promise<{ rows: ShownRow[]; count: number }> {
  const values = after === undefined ? [id, limit] : [id, limit, after]
  const rows = await runPrepared<ShownRow & { count: number }>(db, pageOf(db, whose, after === undefined), values)
  if (after === undefined || rows.length > 0) return { rows, count: rows[0]?.count ?? 0 }
  const count = { name: `transactions-of-${whose}-count`, text: counted(db, whose).compile().sql }
  const [all] = await runPrepared<{ count: number }>(db, count, [id])
  return { rows, count: all?.count ?? 0 }
}

export const findTransactionsOfUser = (db: Handle, userId: string, page: Page) => findPage(db, 'user', userId, page)
export const findTransactionsOfWallet = (db: Handle, walletId: string, page: Page) =>
  findPage(db, 'wallet', walletId, page)
export const findTransactionsOfService = (db: Handle, serviceId: string, page: Page) =>
  findPage(db, 'service', serviceId, page)

export function findTransactionByKey(db: Handle, userId: string, key: string) {
  return db
    .selectFrom('transactions')
    .select(['id', 'request_hash'])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

export function findTransactionByPosting(db: Handle, ledgerTransactionId: string) {
  return db
    .selectFrom('transactions')
    .select(['id', 'amount', 'details'])
    .where('ledger_transaction_id', '=', ledgerTransactionId)
    .executeTakeFirst()
}

/** The transactions of postings. */
export function findTransactionsByPosting(db: Handle, postings: readonly string[]) {
  return selectShown(db).select('ledger_transaction_id').where('ledger_transaction_id', 'in', postings).execute()
}

export async function findOwner(db: Handle, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('transactions').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}
