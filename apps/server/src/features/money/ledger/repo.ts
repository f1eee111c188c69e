import { sql } from 'kysely'
import type { Currency } from '@wakestone/contract/primitives'
import { type Handle, runPrepared, type Transaction } from '#src/db/client.ts'

export type Entry = { code: string; currency: string; amount: number }

/** Calls the one writer of the ledger. */
export async function post(
  trx: Transaction,
  posting: { scope: string; key: string; kind: string; entries: readonly Entry[]; meta: object; holdId: string | null },
): Promise<{ id: string; isNew: boolean }> {
  const { scope, key, kind, entries, meta, holdId } = posting
  const { rows } = await sql<{ made: string; posted: string }>`
    with fresh as materialized (select uuidv7() as id)
    select fresh.id as made, ledger_post(fresh.id, ${scope}, ${key}, ${kind}, ${JSON.stringify(entries)}::jsonb, ${JSON.stringify(meta)}::jsonb, ${holdId}::uuid, null) as posted
    from fresh`.execute(trx)
  const [row] = rows as [{ made: string; posted: string }]
  return { id: row.posted, isNew: row.made === row.posted }
}

/** Id of the posting that was made under this key. */
export async function findPosting(db: Handle, scope: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ledger_transactions')
    .select('id')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.id
}

/** Opens an account that keeps a balance which cannot go below zero; one that is there stays. */
export async function openAccount(trx: Transaction, code: string, currency: string): Promise<void> {
  await sql`select ledger_open_account(${code}, ${currency}, true, 0)`.execute(trx)
}

/** Opens the wallets that a user lacks. */
export async function insertWallets(trx: Transaction, userId: string, currencies: readonly Currency[]): Promise<void> {
  await sql`
    insert into wallets (id, user_id, currency, ledger_account_id)
    select fresh.id, ${userId}::uuid, fresh.currency, ledger_open_account('wallet:' || fresh.id, fresh.currency, true, 0)
    from (
      select uuidv7() as id, currency from unnest(${currencies}::text[]) as wanted (currency)
      where not exists (select 1 from wallets w where w.user_id = ${userId}::uuid and w.currency = wanted.currency)
      offset 0 -- one id per wallet, made before it is used twice
    ) as fresh`.execute(trx)
}

const selectWallets = (db: Handle) =>
  db
    .selectFrom('wallets')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'wallets.ledger_account_id')
    .innerJoin('users', 'users.id', 'wallets.user_id')
    .leftJoin('ledger_accounts as credit', (join) => join.on('credit.code', '=', sql<string>`'credit:' || wallets.id`))
    .select([
      'wallets.id',
      'wallets.user_id',
      'wallets.currency',
      'wallets.details',
      'wallets.created_at',
      'wallets.ledger_account_id',
      'ledger_accounts.posted',
      'ledger_accounts.held',
      'users.country_code',
    ])
    .select(({ fn, lit }) => fn.coalesce('credit.posted', lit(0)).as('credit'))
    // What its owner owes after a payment was taken back: from this wallet, and whether from any.
    .select(
      sql<number>`(select coalesce(sum(open), 0)::bigint from debts
        where debts.user_id = wallets.user_id and debts.wallet_id = wallets.id and open > 0)`.as('owed'),
    )
    .select(sql<boolean>`exists (select from debts where debts.user_id = wallets.user_id and open > 0)`.as('has_debts'))

const selectWallet = (db: Handle, id: string) => selectWallets(db).where('wallets.id', '=', id)

export type WalletRow = Awaited<ReturnType<ReturnType<typeof selectWallet>['executeTakeFirstOrThrow']>>

let walletById: string | undefined

export async function findWallet(db: Handle, id: string): Promise<WalletRow | undefined> {
  walletById ??= selectWallet(db, id).compile().sql
  const [row] = await runPrepared<WalletRow>(db, { name: 'wallet', text: walletById }, [id])
  return row
}

/** A wallet keeps its owner, and is never removed: what was read once holds. */
const knownOwners = new WeakMap<Handle, Map<string, string>>()
const mostKnownOwners = 50_000

/** What all that is asked of a wallet begins with. */
export async function findWalletOwner(db: Handle, id: string): Promise<string | undefined> {
  const known = knownOwners.get(db)?.get(id)
  if (known !== undefined) return known
  const text = 'select user_id from wallets where id = $1'
  const [row] = await runPrepared<{ user_id: string }>(db, { name: 'wallet-owner', text }, [id])
  // What a transaction reads may be its own, and is then not there for others yet.
  if (row !== undefined && !db.isTransaction) remember(db, id, row.user_id)
  return row?.user_id
}

function remember(db: Handle, id: string, owner: string): void {
  const owners = knownOwners.get(db) ?? new Map<string, string>()
  if (owners.size >= mostKnownOwners) owners.clear()
  knownOwners.set(db, owners.set(id, owner))
}

let walletsOfUser: string | undefined

export function findWalletsOf(db: Handle, userId: string): Promise<WalletRow[]> {
  walletsOfUser ??= selectWallets(db).where('wallets.user_id', '=', userId).orderBy('wallets.id').compile().sql
  return runPrepared<WalletRow>(db, { name: 'wallets', text: walletsOfUser }, [userId])
}

export type Holding = { code: string; posted: number; held: number }

/** What accounts hold; those that have not come to be yet are left out. */
export function findHoldings(db: Handle, codes: string[]): Promise<Holding[]> {
  const text = 'select code, posted, held from ledger_accounts where code = any($1)'
  return runPrepared<Holding>(db, { name: 'holdings', text }, [codes])
}

/** Reads a wallet whose balance then stays as it is until the transaction ends. */
export async function lockWallet(trx: Transaction, id: string): Promise<WalletRow | undefined> {
  await trx
    .selectFrom('ledger_accounts')
    .innerJoin('wallets', 'wallets.ledger_account_id', 'ledger_accounts.id')
    .select('ledger_accounts.id')
    .where('wallets.id', '=', id)
    .forNoKeyUpdate('ledger_accounts')
    .execute()
  return findWallet(trx, id)
}

type MovementRow = {
  id: string
  transaction_id: string
  amount: number
  balance_after: number | null
  currency: string
  kind: string
  meta: unknown
  at: Date
}

// Versions count the movements, without a gap. One statement: going to the database and back costs more than reading.
const movements = {
  name: 'movements',
  text: `select entry.id, entry.transaction_id, entry.amount, entry.balance_after, entry.currency, posting.kind, posting.meta, posting.at,
      (select version from ledger_accounts where id = (select ledger_account_id from wallets where id = $1)) as count
    from ledger_entries entry join ledger_transactions posting on posting.id = entry.transaction_id
    where entry.account_id = (select ledger_account_id from wallets where id = $1)
      and entry.account_version is not null and entry.account_version < case
        when $2::uuid is null then 9223372036854775807
        else (select account_version from ledger_entries
          where account_id = (select ledger_account_id from wallets where id = $1) and id = $2) end
    order by entry.account_version desc limit $3`,
}
const movementCount = {
  name: 'movement-count',
  text: `select version as count from wallets join ledger_accounts on ledger_accounts.id = ledger_account_id where wallets.id = $1`,
}

/** Movements on a wallet, newest first; `after` is the id of the last one seen. Undefined: there is no such wallet. */
export async function findMovements(
  db: Handle,
  walletId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ rows: MovementRow[]; count: number } | undefined> {
  const rows = await runPrepared<MovementRow & { count: number }>(db, movements, [walletId, after ?? null, limit])
  const known = rows[0] ?? (await runPrepared<{ count: number }>(db, movementCount, [walletId]))[0]
  return known && { rows, count: known.count }
}

/** Puts funds of an account aside until a moment; the same hold again is the same hold. */
export async function hold(
  trx: Transaction,
  { id, code, amount, until }: { id: string; code: string; amount: number; until: Date },
): Promise<void> {
  await sql`select ledger_hold(${id}::uuid, ${code}, ${amount}::bigint, ${until})`.execute(trx)
}

/** @returns what it held; undefined: it holds nothing any more. */
export async function findHeld(db: Handle, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('ledger_holds')
    .select('amount')
    .where('id', '=', id)
    .where('state', '=', 'held')
    .executeTakeFirst()
  return row?.amount
}

export async function voidHold(trx: Transaction, id: string): Promise<void> {
  await sql`select ledger_void_hold(${id}::uuid)`.execute(trx)
}

export async function expireHolds(db: Handle): Promise<void> {
  await sql`select ledger_expire_holds()`.execute(db)
}
