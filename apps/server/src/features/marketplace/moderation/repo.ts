import { sql } from 'kysely'
import type { ModeratedStatus, ProjectReportReason } from '@wakestone/contract/marketplace/values'
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

type ModeratedRow = {
  id: string
  status: ModeratedStatus
  owner_id: string | null
  owner_name: string | null
  waiting: number
}
/** Newest first; `count` is of all that fit. */
export async function selectModerated(
  db: Handle,
  {
    status = null,
    q = null,
    after = null,
    limit,
  }: {
    status?: ModeratedStatus | null | undefined
    q?: string | null | undefined
    after?: string | null | undefined
    limit: number
  },
): Promise<{ rows: ModeratedRow[]; count: number }> {
  const { rows } = await sql<ModeratedRow & { count: number }>`
    with fitting as (
      select * from (
        select project.id, owner.id as owner_id, owner.username as owner_name,
          case
            when project.taken_down_at is not null then 'taken_down'
            when project.archived_at is not null then 'archived'
            when project.visibility <> 'public' then project.visibility
            when exists (
              select from releases release
              where release.project_id = project.id and release.state = 'published' and release.release_type <> 'private'
                and release.archived_at is null
            ) then 'public'
            else 'unreleased'
          end as status
        from projects project
        left join lateral (
          select users.id, users.username from project_members member join users on users.id = member.user_id
          where member.project_id = project.id and member.role = 'owner' and users.destroyed_at is null
          order by member.created_at limit 1
        ) owner on true
        where ${q}::text is null
          or position(lower(${q}) in lower(concat_ws(E'\\n', project.name, project.slug, project.author_name, owner.username))) > 0
      ) known where ${status}::text is null or status = ${status}
    )
    select fitting.*, (select count(*) from fitting)::integer as count, (
      select count(*) from releases release where release.project_id = fitting.id and release.state = 'waiting'
    )::integer as waiting
    from fitting where ${after}::uuid is null or id < ${after} order by id desc limit ${limit}`.execute(db)
  return { rows, count: rows[0]?.count ?? 0 }
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
