/** Reviews by those who have used a project, the project's answers, and reports to moderators. */
import type { z } from 'zod'
import { hasCapability, isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { createProjectReview, reportProject, Review } from '@wakestone/contract/marketplace/reviews-routes'
import type { Context } from '#src/context.ts'
import { type Db, type Handle, inTransaction } from '#src/db/client.ts'
import { type Caller, findVisibleProject } from '#src/features/marketplace/projects/service.ts'
import { findRelease, releaseMissing } from '#src/features/marketplace/releases/service.ts'
import * as repo from './repo.ts'

type Author = NonNullable<Caller>

/** Whoever reviews a project has had it running for so long. */
const usedSeconds = 3600

const reviewMissing = () => new DomainError('resource_not_found')

const show = (row: repo.ReviewRow): Review => ({
  id: row.id,
  project_id: row.project_id,
  release_id: row.release_id,
  version: row.version,
  user_id: row.username === null ? null : row.user_id,
  username: row.username,
  rate: row.rate as Review['rate'],
  comment: row.comment,
  created_at: row.created_at.toISOString(),
  deleted_at: row.deleted_at?.toISOString() ?? null,
  answer:
    row.answer === null || row.answered_at === null
      ? null
      : { comment: row.answer, created_at: row.answered_at.toISOString() },
})

export async function listReviews(
  db: Db,
  caller: Caller,
  { key, before, limit }: { key: string; before: string | undefined; limit: number },
): Promise<{ has_more: boolean; reviews: Review[]; may_review: boolean }> {
  const { project, role } = await findVisibleProject(db, caller, key)
  const rows = await repo.selectReviews(db, { projectId: project.id, before, limit: limit + 1 })
  return {
    has_more: rows.length > limit,
    reviews: rows.slice(0, limit).map(show),
    may_review:
      caller !== undefined &&
      role === undefined &&
      (await findUse(db, project.id, caller.userId)) !== undefined &&
      !(await repo.hasReview(db, project.id, caller.userId)),
  }
}

const findUse = (db: Handle, projectId: string, userId: string) =>
  repo.findUse(db, { projectId, userId, seconds: usedSeconds })

/** @throws DomainError `access_denied` for members, `project_not_used`, `resource_already_exists`. */
export async function createReview(
  { db }: Pick<Context, 'db'>,
  caller: Author,
  { key, body }: { key: string; body: z.output<typeof createProjectReview.body> },
): Promise<Review> {
  const { project, role } = await findVisibleProject(db, caller, key)
  if (role !== undefined) throw new DomainError('access_denied')
  return inTransaction(db, async (trx) => {
    const use = await findUse(trx, project.id, caller.userId)
    if (use === undefined) throw new DomainError('project_not_used', { resource: 'market_project' })
    const id = await repo
      .insertReview(trx, { ...body, project_id: project.id, release_id: use.release_id, user_id: caller.userId })
      .catch((error: unknown) => {
        if ((error as { code?: string }).code !== '23505') throw error
        throw new DomainError('resource_already_exists')
      })
    return show(await requireReview(trx, project.id, id))
  })
}

async function requireReview(db: Handle, projectId: string, id: string): Promise<repo.ReviewRow> {
  const row = await repo.findReview(db, projectId, id)
  if (row === undefined) throw reviewMissing()
  return row
}

/** One's own; a moderator any. */
export async function deleteReview(
  { db }: Pick<Context, 'db'>,
  caller: Author,
  { key, reviewId }: { key: string; reviewId: string },
): Promise<void> {
  const { project } = await findVisibleProject(db, caller, key)
  const review = await requireReview(db, project.id, reviewId)
  const isModerator = isAdmin(caller.capabilities) || hasCapability(caller.capabilities, 'admin.marketplace')
  if (review.user_id !== caller.userId && !isModerator) throw reviewMissing()
  await repo.updateReview(db, reviewId, { deleted_at: new Date() })
}

/** @throws DomainError `resource_already_exists` where it was answered. */
export async function answerReview(
  { db }: Pick<Context, 'db'>,
  caller: Author,
  { key, reviewId, comment }: { key: string; reviewId: string; comment: string },
): Promise<Review> {
  const { project } = await findVisibleProject(db, caller, key)
  const review = await requireReview(db, project.id, reviewId)
  if (review.answer !== null) throw new DomainError('resource_already_exists')
  await repo.updateReview(db, reviewId, { answer: comment, answered_at: new Date() })
  return show(await requireReview(db, project.id, reviewId))
}

/** @throws DomainError `resource_not_found` for a release or a review of another project. */
export async function report(
  { db }: Pick<Context, 'db'>,
  caller: Author,
  { key, body }: { key: string; body: z.output<typeof reportProject.body> },
): Promise<void> {
  const { project } = await findVisibleProject(db, caller, key)
  const { release_id = null, review_id = null, reason, comment } = body
  if (release_id !== null && (await findRelease(db, release_id, project.id)) === undefined) throw releaseMissing()
  if (review_id !== null) await requireReview(db, project.id, review_id)
  await repo.insertReport(db, {
    project_id: project.id,
    user_id: caller.userId,
    reason,
    comment,
    release_id,
    review_id,
  })
}

export { countUses } from './repo.ts'
