import { sql } from 'kysely'
import type { MetricType } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'

export type Counted = { metric: MetricType; projectId: string; version: string; engine: string; country: string }

/** Whether nobody with this digest was counted today. Yesterday's are forgotten on the way. */
export async function isFirstToday(db: Handle, digest: Buffer): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    with old as (delete from project_counted where day < current_date - 1)
    insert into project_counted values (current_date, ${digest}) on conflict do nothing returning true as first`.execute(
    db,
  )
  return rows.length > 0
}

export async function addMetric(db: Handle, { metric, projectId, version, engine, country }: Counted): Promise<void> {
  await sql`insert into project_metrics (project_id, day, metric, version, engine, country, value)
    values (${projectId}, current_date, ${metric}, ${version}, ${engine}, ${country}, 1)
    on conflict (project_id, metric, day, version, engine, country) do update
    set value = project_metrics.value + 1`.execute(db)
  if (metric === 'views') await sql`update projects set views = views + 1 where id = ${projectId}`.execute(db)
  if (metric === 'downloads')
    await sql`update projects set downloads = downloads + 1 where id = ${projectId}`.execute(db)
}

export async function addReleaseDownload(db: Handle, releaseId: string): Promise<void> {
  await sql`update releases set downloads = downloads + 1 where id = ${releaseId}`.execute(db)
}

/** Days from then on, or the same told apart in another way, those with most first. @param key slug or id */
export async function selectMetrics(
  db: Handle,
  {
    key,
    metric,
    label,
    days,
  }: { key: string; metric: MetricType; label: 'day' | 'version' | 'engine' | 'country'; days: number },
): Promise<{ label: string; value: number }[]> {
  const column = label === 'day' ? sql`to_char(day, 'YYYY-MM-DD')` : sql.ref(label)
  const { rows } = await sql<{ label: string; value: number }>`
    select ${column} as label, sum(value)::integer as value
    from project_metrics join projects on projects.id = project_metrics.project_id
    where (projects.slug = ${key} or projects.id::text = ${key}) and metric = ${metric} and day > current_date - ${days}::integer
    group by 1 order by ${label === 'day' ? sql`1` : sql`2 desc, 1`} limit 200`.execute(db)
  return rows
}
