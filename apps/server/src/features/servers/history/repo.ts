/** Samples of what servers used, by minutes and hours. */
import { sql } from 'kysely'
import { type HistoryMetric, historyMetrics, type HistoryPoint } from '@wakestone/contract/servers/history'
import { sleepingLevels } from '@wakestone/contract/servers/levels'
import type { Db, Handle } from '#src/db/client.ts'
import { inTransaction } from '#src/db/client.ts'

type Columns = Omit<HistoryPoint, 'at'>
/** A mean and an extreme per metric, and how many measurements they are made of; what is missing is not known. */
export type SampleRow = { server_id: string; at: string; samples: number } & Partial<Columns>

type Table = 'server_minutes' | 'server_hours'
const extremeOf = (metric: HistoryMetric) => (metric === 'tps' ? 'tps_least' : `${metric}_most`)
/** The better known of two extremes; both functions pass over what is not known. */
const choose = (metric: HistoryMetric) => sql.raw(metric === 'tps' ? 'least' : 'greatest')
const columns = historyMetrics.flatMap((metric) => [metric, extremeOf(metric)])

/** Adds rows to their minutes and their hours, both or neither. */
export async function addSamples(db: Db, rows: readonly SampleRow[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await add(trx, 'server_minutes', 'minute', rows)
    await add(trx, 'server_hours', 'hour', rows)
  })
}

async function add(trx: Handle, table: Table, unit: 'minute' | 'hour', rows: readonly SampleRow[]): Promise<void> {
  const names = sql.raw(columns.join(', '))
  const types = sql.raw(columns.map((column) => `${column} real`).join(', '))
  const gathered = sql.join(historyMetrics.flatMap((metric) => [weighted(metric), extreme(metric)]))
  const merged = sql.join(historyMetrics.flatMap((metric) => [mergedMean(table, metric), mergedExtreme(table, metric)]))
  // Sorted, so that two workers who write of the same servers do not wait for each other in a circle.
  await sql`insert into ${sql.table(table)} (server_id, at, samples, ${names})
    select server_id, date_trunc(${unit}, at, 'UTC'), sum(samples), ${gathered}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (server_id uuid, at timestamptz, samples integer, ${types})
    group by 1, 2 order by 1, 2
    on conflict (server_id, at) do update set samples = ${sql.ref(table)}.samples + excluded.samples, ${merged}`.execute(
    trx,
  )
}

/** A mean over several rows, each as heavy as its measurements. */
const weighted = (metric: HistoryMetric) => {
  const mean = sql.ref(metric)
  return sql`sum(${mean}::double precision * samples) / nullif(sum(samples) filter (where ${mean} is not null), 0)`
}
const extreme = (metric: HistoryMetric) =>
  sql`${sql.raw(metric === 'tps' ? 'min' : 'max')}(${sql.ref(extremeOf(metric))})`

const mergedMean = (table: Table, metric: HistoryMetric) => {
  const [old, added] = [sql.ref(`${table}.${metric}`), sql.ref(`excluded.${metric}`)]
  return sql`${sql.ref(metric)} = coalesce((${old}::double precision * ${sql.ref(`${table}.samples`)} + ${added}::double precision * excluded.samples)
    / (${sql.ref(`${table}.samples`)} + excluded.samples), ${old}, ${added})`
}
const mergedExtreme = (table: Table, metric: HistoryMetric) => {
  const column = extremeOf(metric)
  return sql`${sql.ref(column)} = ${choose(metric)}(${sql.ref(`${table}.${column}`)}, ${sql.ref(`excluded.${column}`)})`
}

/** Points at steps of so many seconds, oldest first; steps of which nothing is known are left out. */
export async function selectPoints(
  db: Handle,
  serverId: string,
  { from, step, table }: { from: Date; step: number; table: Table },
): Promise<(Columns & { at: Date })[]> {
  const values = sql.join(
    historyMetrics.flatMap((metric) => [
      sql`${weighted(metric)} as ${sql.ref(metric)}`,
      sql`${extreme(metric)} as ${sql.ref(extremeOf(metric))}`,
    ]),
  )
  const { rows } = await sql<Columns & { at: Date }>`
    select date_bin(make_interval(secs => ${step}), at, 'epoch') as at, ${values}
    from ${sql.table(table)} where server_id = ${serverId} and at >= ${from}
    group by 1 order by 1`.execute(db)
  return rows
}

export async function selectPlayersOfHours(
  db: Handle,
  serverIds: readonly string[],
  from: Date,
): Promise<{ server_id: string; at: Date; players_most: number | null }[]> {
  if (serverIds.length === 0) return []
  return db
    .selectFrom('server_hours')
    .select(['server_id', 'at', 'players_most'])
    .where('server_id', 'in', serverIds)
    .where('at', '>=', from)
    .execute()
}

/** When a server slept since a time, however deep, oldest first; one that sleeps now has no end. */
export async function selectSleeps(
  db: Handle,
  serverId: string,
  from: Date,
): Promise<{ since: Date; until: Date | null }[]> {
  const { rows } = await sql<{ since: Date; until: Date | null }>`
    with levels as (
      select since, level = any(${sleepingLevels}::text[]) as sleeps from server_levels
      where server_id = ${serverId} and since >= coalesce(
        (select max(since) from server_levels where server_id = ${serverId} and since <= ${from}), ${from})
    ), turns as (
      select since, sleeps, lag(sleeps) over (order by since) as before from levels
    ), spans as (
      select since, sleeps, lead(since) over (order by since) as until from turns where before is distinct from sleeps
    )
    select greatest(since, ${from}) as since, until from spans where sleeps order by since`.execute(db)
  return rows
}

const rowsAtOnce = 5_000

/** Removes at most so many rows of before a time. @returns how many */
export async function dropSamples(db: Handle, table: Table, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where at < ${before} limit ${rowsAtOnce}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
export { rowsAtOnce }
