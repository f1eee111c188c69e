import { sql } from 'kysely'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import type { Snapshot } from './snapshot.ts'

/** A sale whose document is due. */
export type Sale = {
  id: string
  user_id: string
  currency: string
  provider: string
  action: string
  country_code: string
  vat_rate: string
  positions: { name: string; quantity: number; tax: number; total_price_gross: number }[]
  details: Record<string, unknown>
  completed_at: Date
  /** What the ledger added to revenue and to VAT. */
  revenue: number
  vat: number
  /** The account as it is, as far as it is there. */
  username: string | null
  email: string | null
  language: string | null
}

/** Sales whose document is due, oldest first. */
export async function findDue(db: Handle, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('documents_due')
    .select('transaction_id')
    .where('next_at', '<=', now)
    .orderBy('transaction_id')
    .limit(limit)
    .execute()
  return rows.map(({ transaction_id }) => transaction_id)
}

/** @returns undefined when somebody else issues it, or has. */
export async function lockDue(trx: Transaction, transactionId: string): Promise<true | undefined> {
  const row = await trx
    .selectFrom('documents_due')
    .select('transaction_id')
    .where('transaction_id', '=', transactionId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row === undefined ? undefined : true
}

export async function findSale(db: Handle, id: string): Promise<Sale | undefined> {
  const { rows } = await sql<Sale>`
    select t.id, t.user_id, t.currency, t.provider, t.action, t.country_code, t.vat_rate, t.positions, t.details,
      posting.at as completed_at, users.username, users.email, users.language,
      coalesce(sum(entry.amount) filter (where account.code ^@ 'revenue:'), 0)::bigint as revenue,
      coalesce(sum(entry.amount) filter (where account.code ^@ 'vat:'), 0)::bigint as vat
    from transactions t
    join ledger_transactions posting on posting.id = t.ledger_transaction_id
    join ledger_entries entry on entry.transaction_id = posting.id
    join ledger_accounts account on account.id = entry.account_id
    left join users on users.id = t.user_id and users.destroyed_at is null
    where t.id = ${id}::uuid
    group by t.id, posting.at, users.id`.execute(db)
  return rows[0]
}

/** Invoice data that were in force at a moment, and what was known of the VAT id. */
export async function findBuyerAt(db: Handle, userId: string, at: Date) {
  return db
    .selectFrom('tax_data')
    .leftJoin('tax_id_checks', 'tax_id_checks.id', 'tax_data.check_id')
    .selectAll('tax_data')
    .select(['tax_id_checks.state', 'tax_id_checks.checked_at', 'tax_id_checks.consultation_number'])
    .where('tax_data.user_id', '=', userId)
    .where('tax_data.created_at', '<=', at)
    .where((row) => row.or([row('tax_data.replaced_at', 'is', null), row('tax_data.replaced_at', '>', at)]))
    .executeTakeFirst()
}

/** Where a buyer seemed to be: country of registration, addresses of the last session and payment before a moment. */
export async function findPlaces(
  db: Handle,
  userId: string,
  at: Date,
): Promise<{ registration: string | null; session_ip: string | null; payment_ip: string | null }> {
  const { rows } = await sql<{ registration: string | null; session_ip: string | null; payment_ip: string | null }>`
    select (select country_code from users where id = ${userId}::uuid) as registration,
      (select host(ip) from sessions where user_id = ${userId}::uuid and ip is not null and created_at <= ${at}
        order by created_at desc limit 1) as session_ip,
      (select host(payer_ip) from transactions where user_id = ${userId}::uuid and status = 'COMPLETED'
        and payer_ip is not null and created_at <= ${at} order by id desc limit 1) as payment_ip`.execute(db)
  return rows[0] ?? { registration: null, session_ip: null, payment_ip: null }
}

/** What a credit note corrects: the document of the transaction it names, else the last one of the same service. */
export async function findCorrected(
  db: Handle,
  { userId, reverses, serviceId }: { userId: string; reverses: string | undefined; serviceId: string | undefined },
) {
  const known = db
    .selectFrom('documents')
    .selectAll('documents')
    .select(sql<string>`documents.issued_on::text`.as('issued_day'))
    .where('documents.user_id', '=', userId)
    .where('documents.kind', '<>', 'credit_note')
  if (reverses !== undefined) return known.where('transaction_id', '=', reverses).executeTakeFirst()
  if (serviceId === undefined) return undefined
  return known
    .innerJoin('transactions', 'transactions.id', 'documents.transaction_id')
    .where(sql<boolean>`transactions.details->>'service_id' = ${serviceId}`)
    .orderBy('documents.id', 'desc')
    .executeTakeFirst()
}
export type CorrectedRow = NonNullable<Awaited<ReturnType<typeof findCorrected>>>

/** VAT of a document that no credit note has given back; nobody else gives any back until the transaction's end. */
export async function lockVatLeft(trx: Transaction, id: string): Promise<number> {
  const { vat } = await trx
    .selectFrom('documents')
    .select('vat')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { given } = await trx
    .selectFrom('documents')
    .select(sql<number>`coalesce(sum(vat), 0)::bigint`.as('given'))
    .where('corrects', '=', id)
    .executeTakeFirstOrThrow()
  return vat + given
}

export async function isDue(db: Handle, transactionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('documents_due')
    .select('transaction_id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  return row !== undefined
}

export type NewDocument = {
  userId: string
  transactionId: string
  corrects: string | null
  prefix: string
  now: Date
  homeCurrency: string
  buyerName: string
  snapshot: Snapshot
  /** Another transaction that names it, too. */
  shownAt?: string | undefined
}

/** Numbers and writes a document; the transaction names it, and it is due no more. @returns id and number. */
export async function insertDocument(
  trx: Transaction,
  document: NewDocument,
): Promise<{ id: string; label: string; invoice_id: number }> {
  const { snapshot } = document
  const row = await trx
    .insertInto('documents')
    .values({
      kind: snapshot.kind,
      year: Number(snapshot.issued_on.slice(0, 4)),
      number: 0, // the series decides
      label: document.prefix,
      user_id: document.userId,
      transaction_id: document.transactionId,
      corrects: document.corrects,
      issued_at: document.now,
      issued_on: snapshot.issued_on,
      sold_on: snapshot.sold_on,
      currency: snapshot.currency,
      ...snapshot.totals,
      home_currency: document.homeCurrency,
      vat_home: snapshot.exchange?.vat ?? (snapshot.currency === document.homeCurrency ? snapshot.totals.vat : null),
      country_code: snapshot.tax.country_code,
      treatment: snapshot.tax.treatment,
      buyer_name: document.buyerName,
      language: snapshot.language,
      place_contradicts: snapshot.evidence.contradicts,
      snapshot: JSON.stringify(snapshot),
    })
    .returning(['id', 'label', 'invoice_id'])
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('transactions')
    .set({ invoice_id: row.invoice_id })
    .where('id', 'in', [document.transactionId, ...(document.shownAt === undefined ? [] : [document.shownAt])])
    .execute()
  await trx.deleteFrom('documents_due').where('transaction_id', '=', document.transactionId).execute()
  return row
}

/** Later again, the later the oftener it failed. */
export async function postponeDue(db: Db, transactionId: string, error: string, now: Date): Promise<void> {
  await sql`
    update documents_due set tries = tries + 1, last_error = ${error.slice(0, 500)},
      next_at = ${now}::timestamptz + least(interval '6 hours', interval '5 seconds' * power(2, least(tries, 12)))
    where transaction_id = ${transactionId}::uuid`.execute(db)
}

export async function hastenDue(db: Handle, transactionId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('documents_due')
    .set({ next_at: sql<Date>`now()` })
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findRate(db: Handle, currency: string, before: string) {
  // Of the fortnight before: an older one was not that of the preceding business day.
  const { rows } = await sql<{ table: string; day: string; rate: string }>`
    select table_name as "table", day::text, trim_scale(rate)::text as rate from exchange_rates
    where source = 'NBP' and currency = ${currency} and covers @> ${before}::date`.execute(db)
  return rows[0]
}

/** Keeps a rate, and for which days it is the last one before. */
export async function insertRate(
  db: Handle,
  {
    currency,
    before,
    table,
    day,
    rate,
  }: { currency: string; before: string; table: string; day: string; rate: string },
): Promise<void> {
  await sql`
    insert into exchange_rates (source, currency, day, table_name, rate, covers)
    values ('NBP', ${currency}, ${day}::date, ${table}, ${rate}::numeric, daterange(${day}::date, ${before}::date, '(]'))
    on conflict (source, currency, day) do update set covers = exchange_rates.covers + excluded.covers
    where exchange_rates.rate = excluded.rate`.execute(db)
}
