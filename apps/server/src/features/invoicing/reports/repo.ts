/**
 * Sums over the ledger. Postings have time-ordered ids (UUID 7), so a period is a range of the entries' primary key.
 */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'
import { leastId } from '#src/db/least-id.ts'

export type Period = {
  from: Date
  /** Not within. */ until: Date
  currency: string
  /** Whose days they are. */ timeZone: string
}

/** The moments at which a day begins in a time zone, and at which another one ends. */
export async function findBounds(
  db: Handle,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<{ from: Date; until: Date }> {
  const { rows } = await sql<{ from: Date; until: Date }>`
    select ${from}::date::timestamp at time zone ${timeZone}::text as from,
      (${to}::date + 1)::timestamp at time zone ${timeZone}::text as until`.execute(db)
  return rows[0] as { from: Date; until: Date }
}

/**
 * What moved on revenue, VAT, gateways, gifts and credits, by day or month and account, and how often it was less than zero: what
 * came in by a gateway. Signs as in the ledger.
 */
export async function sumAccounts(
  db: Handle,
  { from, until, currency, timeZone }: Period,
  step: 'day' | 'month',
): Promise<{ start: string; code: string; amount: number; count: number }[]> {
  const { rows } = await sql<{ start: string; code: string; amount: number; count: number }>`
    with accounts as materialized (
      select id, code from ledger_accounts
      where currency = ${currency} and (code like 'revenue:%' or code like 'vat:%' or code like 'gateway:%' or code like 'promotion:%' or code like 'adjustment:%')
    ), sums as (
      select account_id, date_trunc(${step}, uuid_extract_timestamp(transaction_id), ${timeZone}::text) as start, sum(amount)::bigint as amount, count(*) filter (where amount < 0) as count
      from ledger_entries
      where transaction_id >= ${leastId(from)}::uuid and transaction_id < ${leastId(until)}::uuid and account_id in (select id from accounts)
      group by 1, 2
    )
    select to_char(start at time zone ${timeZone}::text, 'YYYY-MM-DD') as start, code, amount, count from sums join accounts on accounts.id = account_id
    order by start`.execute(db)
  return rows
}

/** What moved on gateways by account and by why it did, and how often money came in. Signs as in the ledger. */
export async function sumGateways(
  db: Handle,
  { from, until, currency }: Period,
): Promise<{ code: string; kind: string; amount: number; count: number }[]> {
  const { rows } = await sql<{ code: string; kind: string; amount: number; count: number }>`
    with accounts as materialized (
      select id, code from ledger_accounts where currency = ${currency} and code like 'gateway:%'
    )
    select a.code, t.kind, sum(e.amount)::bigint as amount, count(*) filter (where e.amount < 0) as count
    from ledger_entries e
    join accounts a on a.id = e.account_id
    join ledger_transactions t on t.id = e.transaction_id
    where e.transaction_id >= ${leastId(from)}::uuid and e.transaction_id < ${leastId(until)}::uuid
    group by 1, 2`.execute(db)
  return rows
}

/**
 * What was bought from wallets: each product with how often and for how much, dearest first. What is given back is no
 * purchase, in however many parts; nor is one that is taxed anew.
 */
export async function sumProducts(
  db: Handle,
  { from, until, currency }: Period,
): Promise<{ name: string; count: number; gross: number }[]> {
  const { rows } = await sql<{ name: string; count: number; gross: number }>`
    select line.name, coalesce(sum(line.quantity) filter (where line.total_price_gross > 0 and t.action <> 'TAX_CORRECTION'), 0)::bigint as count,
      sum(line.total_price_gross)::bigint as gross
    from transactions t, jsonb_to_recordset(t.positions) as line(name text, quantity int, total_price_gross bigint)
    where t.id >= ${leastId(from)}::uuid and t.id < ${leastId(until)}::uuid and t.currency = ${currency}
      and t.status = 'COMPLETED' and t.action not in ('DEPOSIT', 'VOUCHER_USE', 'PAY_BILL', 'SETTLE_DEBT', 'TOP_UP_TAX', 'ITEMSHOP_SELL')
    group by 1 having sum(line.total_price_gross) <> 0 order by 3 desc, 1`.execute(db)
  return rows
}

/** What was sold by the country and rate that the customer's transaction names. */
export async function sumTaxes(
  db: Handle,
  { from, until, currency }: Period,
): Promise<{ country_code: string; vat_rate: string; net: number; vat: number; count: number }[]> {
  const { rows } = await sql<{ country_code: string; vat_rate: string; net: number; vat: number; count: number }>`
    with accounts as materialized (
      select id, code like 'vat:%' as is_vat from ledger_accounts
      where currency = ${currency} and (code like 'revenue:%' or code like 'vat:%')
    )
    select t.country_code, t.vat_rate, coalesce(sum(e.amount) filter (where not a.is_vat), 0)::bigint as net,
      coalesce(sum(e.amount) filter (where a.is_vat), 0)::bigint as vat, count(distinct t.id) as count
    from ledger_entries e
    join accounts a on a.id = e.account_id
    join transactions t on t.ledger_transaction_id = e.transaction_id
    where e.transaction_id >= ${leastId(from)}::uuid and e.transaction_id < ${leastId(until)}::uuid
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
