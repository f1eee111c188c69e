import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ProjectReviews } from '#src/db/types.gen.ts'

export type ReviewRow = Selectable<ProjectReviews> & { version: string; username: string | null }

const reviews = (db: Handle) =>
  db
    .selectFrom('project_reviews')
    .innerJoin('releases', 'releases.id', 'project_reviews.release_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'project_reviews.user_id').on('users.destroyed_at', 'is', null),
    )
    .selectAll('project_reviews')
    .select(['releases.version', 'users.username'])

export async function selectReviews(
  db: Handle,
  { projectId, before, limit }: { projectId: string; before: string | undefined; limit: number },
): Promise<ReviewRow[]> {
  let query = reviews(db)
    .where('project_reviews.project_id', '=', projectId)
    .where('project_reviews.deleted_at', 'is', null)
  if (before !== undefined) query = query.where('project_reviews.id', '<', before)
  return query.orderBy('project_reviews.id', 'desc').limit(limit).execute()
}

export function findReview(db: Handle, projectId: string, id: string): Promise<ReviewRow | undefined> {
  return reviews(db)
    .where('project_reviews.id', '=', id)
    .where('project_reviews.project_id', '=', projectId)
    .where('project_reviews.deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertReview(
  trx: Transaction,
  row: { project_id: string; release_id: string; user_id: string; rate: string; comment: string },
): Promise<string> {
  const { id } = await trx.insertInto('project_reviews').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateReview(
  db: Handle,
  id: string,
  facts: Partial<Pick<ReviewRow, 'deleted_at' | 'answer' | 'answered_at'>>,
): Promise<void> {
  await db.updateTable('project_reviews').set(facts).where('id', '=', id).execute()
}

/** The release that the user's servers have run longest, if any of them has run the project for that long. */
export async function findUse(
  db: Handle,
  { projectId, userId, seconds }: { projectId: string; userId: string; seconds: number },
): Promise<{ release_id: string } | undefined> {
  return db
    .selectFrom('project_uses')
    .innerJoin('servers', 'servers.id', 'project_uses.server_id')
    .select('project_uses.release_id')
    .where('project_id', '=', projectId)
    .where('servers.owner_id', '=', userId)
    .where('seconds', '>=', seconds)
    .orderBy('installed_at', 'desc')
    .executeTakeFirst()
}

export async function hasReview(db: Handle, projectId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('project_reviews')
    .select('id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertReport(
  db: Handle,
  row: {
    project_id: string
    user_id: string
    reason: string
    comment: string
    release_id: string | null
    review_id: string | null
  },
): Promise<void> {
  await db.insertInto('project_reports').values(row).execute()
}

/**
 * How long every server has run with each project since this was counted last, and which project is new on which: that
 * one is an install of its version, by the engine and the country of the server's owner.
 */
export async function countUses(db: Handle): Promise<void> {
  await sql`
    with present as (
      select distinct on (package.project_id, package.server_id) package.project_id, package.server_id, release.id as release_id,
        release.version, server.engine, owner.country_code as country,
        case when server.phase = 'running' then least(900, greatest(0, extract(epoch from
          now() - greatest(package.counted_at, package.since, coalesce(server.phase_since, now())))))::integer else 0 end as seconds
      from server_packages package
      join servers server on server.id = package.server_id
      join users owner on owner.id = server.owner_id
      join releases release on release.id = package.release_id and release.project_id = package.project_id
      where server.deleted_at is null
      order by package.project_id, package.server_id, package.name
    ), counted as (
      update server_packages package set counted_at = now() from present
      where package.server_id = present.server_id and package.project_id = present.project_id
    ), gone as (
      update project_uses used set removed_at = now() where removed_at is null and not exists (
        select from server_packages package
        where package.server_id = used.server_id and package.project_id = used.project_id)
    ), written as (
      insert into project_uses (project_id, server_id, release_id, seconds)
      select project_id, server_id, release_id, seconds from present
      on conflict (project_id, server_id) do update set release_id = excluded.release_id, removed_at = null,
        seconds = least(project_uses.seconds + excluded.seconds, 1000000000)
      returning project_id, server_id, (xmax = 0) as is_first
    )
    insert into project_metrics (project_id, day, metric, version, engine, country, value)
    select project_id, current_date, 'installs', version, engine, coalesce(country, ''), count(*)
    from written join present using (project_id, server_id) where is_first
    group by project_id, version, engine, country
    on conflict (project_id, metric, day, version, engine, country) do update
    set value = project_metrics.value + excluded.value`.execute(db)
}
