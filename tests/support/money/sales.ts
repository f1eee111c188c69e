/** What tests of prices need beside the front door: what is sold at all, a buyer who moves, and the ledger's own word. */
import { sql } from 'kysely'
import type pg from 'pg'
import { type Context } from '../../../apps/server/src/context.ts'
import { inTransaction } from '../../../apps/server/src/db/client.ts'
import { accounts, postToLedger } from '../../../apps/server/src/features/money/ledger/service.ts'

type Db = Context['db']

/** Every plan that costs something, with all currencies and periods it has a price in, and all countries with a rate. */
export async function soldIn(db: Db) {
  const sold = await db
    .selectFrom('prices')
    .innerJoin('products', 'products.id', 'prices.product_id')
    .select(['product_id', 'currency', 'period'])
    .where('products.type', '=', 'GAME_SERVER')
    .where('available', '=', true)
    .where('amount', '>', 0)
    .execute()
  const rated = await db.selectFrom('tax_rates').select('country_code').distinct().orderBy('country_code').execute()
  const of = (name: keyof (typeof sold)[number]) => [...new Set(sold.map((row) => row[name]))].toSorted()
  return {
    plans: of('product_id'),
    currencies: of('currency') as ('PLN' | 'EUR' | 'USD')[],
    periods: of('period') as ('720h' | '2160h' | '8760h')[],
    countries: rated.map(({ country_code }) => country_code),
  }
}

export async function soldAddOns(db: Db, currency: string): Promise<string[]> {
  const rows = await db
    .selectFrom('prices')
    .innerJoin('products', 'products.id', 'prices.product_id')
    .select('product_id')
    .distinct()
    .where('currency', '=', currency)
    .where('available', '=', true)
    .where('visible', '=', true)
    .where(sql<boolean>`cardinality(depends_on_products) > 0`)
    .execute()
  return rows.map(({ product_id }) => product_id)
}

export async function fill({ db }: Pick<Context, 'db'>, walletId: string, currency: string, amount: number) {
  const entries = [
    { code: accounts.gateway('test', currency), currency, amount: -amount },
    { code: accounts.wallet(walletId), currency, amount },
  ]
  await inTransaction(db, (trx) =>
    postToLedger(trx, { scope: 'test', key: `fill ${walletId}`, kind: 'DEPOSIT', entries }),
  )
}

/** Has a buyer live in another country, as if they had always been there; `DE company` is a company there, known to the EU's register. */
export async function moveBuyer(db: Db, userId: string, place: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const isCompany = place.endsWith(' company')
  const tax_id = 'DE136695976'
  const check = { user_id: userId, tax_id, state: 'valid', checked_at: now }
  const made = isCompany
    ? await db.insertInto('tax_id_checks').values(check).returning('id').executeTakeFirstOrThrow()
    : undefined
  await db
    .updateTable('tax_data')
    .set({ replaced_at: now })
    .where('user_id', '=', userId)
    .where('replaced_at', 'is', null)
    .execute()
  const address = { name: 'Jan Nowak', short_name: '', address: 'Ulica 1', postal_code: '1', city: 'Miasto' }
  const country = place.slice(0, 2)
  await db.updateTable('users').set({ country_code: country }).where('id', '=', userId).execute()
  const company = made === undefined ? { kind: 'person' } : { kind: 'company', tax_id, check_id: made.id }
  await db
    .insertInto('tax_data')
    .values({ user_id: userId, country, language: 'en', created_at: now, ...address, ...company })
    .execute()
}

/** What the ledger says of one sale: what went to revenue, to which country's VAT, and out of the wallet. */
export async function findSale(pool: pg.Pool, transactionId: string) {
  const { rows } = await pool.query<{ code: string; amount: number; currency: string }>(
    `select account.code, entry.amount::int, entry.currency from transactions
     join ledger_entries entry on entry.transaction_id = transactions.ledger_transaction_id
     join ledger_accounts account on account.id = entry.account_id where transactions.id = $1`,
    [transactionId],
  )
  const sum = (prefix: string) =>
    rows.filter(({ code }) => code.startsWith(prefix)).reduce((total, { amount }) => total + amount, 0)
  const { rows: shown } = await pool.query<{ country: string; currency: string }>(
    'select country_code as country, currency from transactions where id = $1',
    [transactionId],
  )
  return { net: sum('revenue:'), vat: sum('vat:'), gross: -sum('wallet:') + 0, ...shown[0] }
}
