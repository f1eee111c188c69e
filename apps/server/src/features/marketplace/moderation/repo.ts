import { sql } from 'kysely'
import type { ProjectReportReason } from '@wakestone/contract/marketplace/values'
import type { Handle, Transaction } from '#src/db/client.ts'

type NamedProject = { project_id: string; slug: string; project_name: string }

export async function selectWaiting(
  db: Handle,
  limit: number,
): Promise<(NamedProject & { release_id: string; waiting_since: Date })[]> {
  const rows = await db
    .selectFrom('releases')
    .innerJoin('projects', 'projects.id', 'releases.project_id')
    .select(['releases.id as release_id', 'releases.waiting_since', 'projects.id as project_id', 'projects.slug'])
    .select('projects.name as project_name')
    .where('releases.state', '=', 'waiting')
    .orderBy('releases.waiting_since')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, waiting_since: row.waiting_since as Date }))
}

export async function selectReports(db: Handle, limit: number) {
  const rows = await db
    .selectFrom('project_reports')
    .innerJoin('projects', 'projects.id', 'project_reports.project_id')
    .selectAll('project_reports')
    .select(['projects.slug', 'projects.name as project_name'])
    .where('closed_at', 'is', null)
    .orderBy('project_reports.created_at')
    .limit(limit)
    .execute()
  return rows as (Omit<(typeof rows)[number], 'reason'> & { reason: ProjectReportReason })[]
}

export async function closeReport(db: Handle, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_reports')
    .set({ closed_at: new Date() })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In one order with the gate, which looks at it once more before it publishes anything. */
export async function insertQuarantine(trx: Transaction, sha256: string, reason: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quarantine ${sha256}`}, 0))`.execute(trx)
  await trx
    .insertInto('quarantined_artifacts')
    .values({ sha256, reason })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ reason }))
    .execute()
}

/** Releases with that file, whatever their state. */
export async function selectWithFile(trx: Transaction, sha256: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct release_id as id from release_artifacts where sha256 = ${sha256} order by 1`.execute(trx)
  return rows.map(({ id }) => id)
}
