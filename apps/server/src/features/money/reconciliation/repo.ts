import { sql } from 'kysely'
import type { Difference, Reconciliation } from '@wakestone/contract/money/reconciliation'
import type { Db, Handle, Transaction } from '#src/db/client.ts'

/** A day of a gateway, both ends; the last one is not within. */
export type Span = { gateway: string; from: Date; until: Date }

/** An order of ours, with what the ledger says was credited for it. Amounts in minor units. */
export type OurOrder = {
  id: string
  transactionId: string
  orderId: string
  externalId: string
  status: string
  currency: string
  /** What was asked for. */
  amount: number
  /** The gateway's name of the money, and what the ledger took from the gateway's account; null: not credited. */
  paymentId: string | null
  credited: number | null
  /** Orders of the same name that we have heard of since. */
  followers: number
}

const ourOrders = (gateway: string) => sql<OurOrder>`
  select po.id, po.transaction_id as "transactionId", po.gateway_order_id as "orderId", po.external_id as "externalId",
    t.status, t.currency, t.amount, substr(lt.key, length(po.gateway) + 2) as "paymentId",
    (select -sum(e.amount)::bigint from ledger_entries e join ledger_accounts a on a.id = e.account_id
     where e.transaction_id = lt.id and a.code = 'gateway:' || po.gateway || ':' || t.currency) as credited,
    (select count(*)::int from payment_orders other
     where other.transaction_id = t.id and other.external_id = po.external_id and other.id > po.id) as followers
  from payment_orders po
  join transactions t on t.id = po.transaction_id
  left join ledger_transactions lt on lt.id = po.ledger_transaction_id
  where po.gateway = ${gateway} and po.gateway_order_id is not null`

/**
 * Orders that were credited in the span, and those that began before its end and were not: up to `patienceDays` before,
 * `longPatienceDays` where it was we who gave up, and for as long as one is held.
 */
export async function findOrdersToCompare(
  db: Handle,
  { gateway, from, until }: Span,
  { patienceDays, longPatienceDays }: { patienceDays: number; longPatienceDays: number },
): Promise<OurOrder[]> {
  const ours = ourOrders(gateway)
  // Two questions: each has an index, and one for both would have none.
  const credited = await sql<OurOrder>`${ours} and lt.at >= ${from} and lt.at < ${until}`.execute(db)
  const open = await sql<OurOrder>`${ours} and po.ledger_transaction_id is null and po.created_at < ${until} and (
    po.held_status is not null
    or po.created_at >= ${until}::timestamptz - make_interval(days =>
      case when t.failure ->> 'reason' = 'given up' then ${longPatienceDays}::int else ${patienceDays}::int end))`.execute(
    db,
  )
  return [...credited.rows, ...open.rows].sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** The order that a gateway means by one of these names; one that was credited before one that was not. */
export async function findOrderByNames(
  db: Handle,
  gateway: string,
  names: { paymentId: string; orderId: string | null; externalId: string | null },
): Promise<OurOrder | undefined> {
  const key = `${gateway}:${names.paymentId}`
  const { rows } = await sql<OurOrder>`${ourOrders(gateway)}
    and po.id in (
      select o.id from ledger_transactions l join payment_orders o on o.ledger_transaction_id = l.id
        where l.scope = 'payment' and l.key = ${key}
      union select id from payment_orders where gateway_order_id = ${names.orderId}
      union select id from payment_orders where gateway = ${gateway} and external_id = ${names.externalId})
    order by lt.key = ${key} desc nulls last, lt.id is null limit 1`.execute(db)
  return rows[0]
}

export async function findOurOrder(db: Handle, gateway: string, id: string): Promise<OurOrder | undefined> {
  const { rows } = await sql<OurOrder>`${ourOrders(gateway)} and po.id = ${id}`.execute(db)
  return rows[0]
}

export type Report = Omit<Reconciliation, 'id' | 'finished_at'> & { finishedAt: Date; lines: readonly Difference[] }

/** Takes the place of an earlier report of the same gateway and day. @returns its id. */
export async function saveReport(trx: Transaction, { lines, finishedAt, ...report }: Report): Promise<string> {
  const { gateway, day, ...values } = report
  const row = { ...values, finished_at: finishedAt }
  const { id } = await trx
    .insertInto('reconciliations')
    .values({ gateway, day, ...row })
    .onConflict((conflict) => conflict.columns(['gateway', 'day']).doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('reconciliation_lines').where('reconciliation_id', '=', id).execute()
  if (lines.length > 0) {
    await trx
      .insertInto('reconciliation_lines')
      .values(lines.map((line) => ({ ...line, reconciliation_id: id })))
      .execute()
  }
  return id
}

const shown = (db: Handle) =>
  db
    .selectFrom('reconciliations')
    .select(['id', 'gateway', 'state', 'method', 'compared', 'healed', 'open', 'unanswered', 'finished_at'])
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))

export type ReportRow = Awaited<ReturnType<typeof findReports>>['rows'][number]

/** Newest day first. */
export async function findReports(
  db: Db,
  filter: { state?: string | undefined; gateway?: string | undefined; offset: number; limit: number },
) {
  let page = shown(db)
  let all = db.selectFrom('reconciliations').select(sql<number>`count(*)`.as('count'))
  for (const name of ['state', 'gateway'] as const) {
    const value = filter[name]
    if (value === undefined) continue
    page = page.where(name, '=', value)
    all = all.where(name, '=', value)
  }
  const rows = await page
    .orderBy('reconciliations.day', 'desc')
    .orderBy('gateway')
    .offset(filter.offset)
    .limit(filter.limit)
    .execute()
  return { rows, count: (await all.executeTakeFirstOrThrow()).count }
}

export function findReport(db: Db, id: string): Promise<ReportRow | undefined> {
  return shown(db).where('id', '=', id).executeTakeFirst()
}

/** Those that are open first. */
export async function findLines(db: Db, reportId: string): Promise<Difference[]> {
  const rows = await db
    .selectFrom('reconciliation_lines')
    .selectAll()
    .where('reconciliation_id', '=', reportId)
    .orderBy('healed')
    .orderBy('id')
    .execute()
  return rows.map(({ id: _id, reconciliation_id: _of, ...line }) => line as Difference)
}

/** Days since one of which there is a report, earliest first. */
export function findReportedDays(
  db: Handle,
  gateway: string,
  since: string,
): Promise<{ day: string; state: string }[]> {
  return db
    .selectFrom('reconciliations')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .select('state')
    .where('gateway', '=', gateway)
    .where('reconciliations.day', '>=', sql<Date>`${since}::date`)
    .orderBy('reconciliations.day')
    .execute()
}
