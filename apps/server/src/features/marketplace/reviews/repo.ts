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

export async function writeUse(
  db: Handle,
  {
    projectId,
    serverId,
    releaseId,
    seconds,
  }: { projectId: string; serverId: string; releaseId: string; seconds: number },
): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    insert into project_uses (project_id, server_id, release_id, seconds) values (${projectId}, ${serverId}, ${releaseId}, ${seconds})
    on conflict (project_id, server_id) do update set release_id = excluded.release_id, removed_at = null,
      seconds = project_uses.seconds + excluded.seconds
    returning (xmax = 0) as first`.execute(db)
  return rows[0]?.first ?? false
}
