/**
 * What people think of the product: asked for at times, kept, and told as an event of their account.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type {
  createReviewBody,
  Feedback,
  FeedbackFigures,
  feedbackFiguresQuery,
  feedbackQuery,
  publicReviewSchema,
  surveySchema,
} from '@wakestone/contract/accounts/feedback'
import { type Language, reviewAdvantages, reviewAges, reviewCauses, surveyDays } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db'>
type Reviewer = { userId: string; username: string; language: Language }
type ReviewedServer = { id: string; name: string; engine: string; created_at: Date }

/** @param about.server what the review was written beside, which its writer may see. @throws DomainError `too_many_requests`. */
export async function createReview(
  context: Pick<Context, 'db' | 'settings'>,
  { rate, causes, advantages, comment, age, language, may_publish: mayPublish }: z.output<typeof createReviewBody>,
  { user, ip, server }: { user: Reviewer; ip: string; server: ReviewedServer | undefined },
): Promise<void> {
  await requireWithinLimit(context, 'review', { ip, userId: user.userId })
  const panelLanguage = language ?? user.language
  await inTransaction(context.db, async (trx) => {
    await repo.insertFeedback(trx, {
      userId: user.userId,
      rate,
      causes: [...new Set(causes)],
      advantages: [...new Set(advantages)],
      comment: comment ?? '',
      age,
      language: panelLanguage,
      serverId: server?.id,
      // There is nothing to be shown without words.
      mayPublish: mayPublish && comment !== undefined && comment !== '',
    })
    await recordUserEvent(trx, user.userId, {
      action: 'USER_RATED_APP',
      data: {
        rate,
        causes,
        advantages,
        ...(comment !== undefined && { comment }),
        ...(age !== undefined && { age }),
        username: user.username,
        user_url: `${publicUrl(context.settings)}/${panelLanguage}/user/${user.userId}`,
        panel_language: panelLanguage,
        ...(server !== undefined && {
          server: server.name,
          server_id: server.id,
          engine: server.engine,
          duration: secondsSince(server.created_at),
        }),
      },
    })
  })
}

const secondsSince = (time: Date) => Math.floor((Date.now() - time.getTime()) / 1000)

const dayMilliseconds = 86_400_000
/** Who has only just come knows nothing yet. */
const settledDays = 7

/** Whether to ask: people who know the product, while nothing is broken, and seldom. */
export async function findSurvey({ db }: Deps, userId: string): Promise<z.input<typeof surveySchema>> {
  const moment = await repo.findMoment(db, userId)
  if (moment === undefined) return { due: false, not_before: null }
  const settled = moment.created_at.getTime() + settledDays * dayMilliseconds
  const last = Math.max(moment.asked_at?.getTime() ?? 0, moment.answered_at?.getTime() ?? 0)
  const notBefore = Math.max(settled, last === 0 ? 0 : last + surveyDays * dayMilliseconds)
  return { due: moment.has_used && notBefore <= Date.now(), not_before: new Date(notBefore).toISOString() }
}

export const noteSurveyShown = ({ db }: Deps, userId: string): Promise<void> => repo.noteAsked(db, userId)

const spanOf = ({ from, to }: z.output<typeof feedbackFiguresQuery>) => ({
  from: from === undefined ? undefined : new Date(`${from}T00:00:00Z`),
  until: to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + dayMilliseconds),
})

/** How many more recommend it (9, 10) than advise against it (0 to 6), in hundredths. */
export function promoterScore(count: number, promoters: number, detractors: number): number | null {
  return count === 0 ? null : Math.round(((promoters - detractors) / count) * 100)
}

export async function showFigures(
  { db }: Deps,
  query: z.output<typeof feedbackFiguresQuery>,
): Promise<FeedbackFigures> {
  const span = spanOf(query)
  const [counted, months, causes, advantages, ages, support] = await Promise.all([
    repo.countRates(db, span),
    repo.countMonths(db, span),
    repo.countNamed(db, span, 'causes'),
    repo.countNamed(db, span, 'advantages'),
    repo.countNamed(db, span, 'age'),
    repo.countSatisfaction(db, span),
  ])
  const rates = Array.from({ length: 11 }, (_, rate) => counted.find((one) => one.rate === rate)?.count ?? 0)
  const sum = (from: number, to: number) => rates.slice(from, to + 1).reduce((all, one) => all + one, 0)
  const count = sum(0, 10)
  const shares = <Name extends string>(names: readonly Name[], found: ReadonlyMap<string, number>) =>
    names.map((name) => ({ name, count: found.get(name) ?? 0 }))
  return {
    count,
    nps: promoterScore(count, sum(9, 10), sum(0, 6)),
    rates,
    months: months.map((one) => ({
      month: one.month,
      count: one.count,
      nps: promoterScore(one.count, one.promoters, one.detractors),
    })),
    causes: shares(reviewCauses, causes),
    advantages: shares(reviewAdvantages, advantages),
    ages: shares(reviewAges, ages),
    support,
  }
}

export async function listFeedback(
  { db }: Deps,
  { kind, commented, offset, limit, ...days }: z.output<typeof feedbackQuery>,
): Promise<{ data: Feedback[]; count: number }> {
  const { rows, count } = await repo.selectFeedback(db, { span: spanOf(days), kind, commented, offset, limit })
  return { data: rows.map(describeFeedback), count }
}

const describeFeedback = (row: repo.FeedbackRow): Feedback => ({
  id: row.id,
  user: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
  rate: row.rate,
  // Names of before an upgrade are left out.
  causes: reviewCauses.filter((name) => row.causes.includes(name)),
  advantages: reviewAdvantages.filter((name) => row.advantages.includes(name)),
  comment: row.comment,
  language: row.language,
  may_publish: row.may_publish,
  published_at: row.published_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** @throws DomainError `resource_not_found`; `access_denied` where its writer has not agreed. */
export async function publish({ db }: Deps, id: string, published: boolean): Promise<Feedback> {
  const row = await repo.findFeedback(db, id)
  if (row === undefined) throw new DomainError('resource_not_found')
  if (published && !row.may_publish) throw new DomainError('access_denied')
  await repo.setPublished(db, id, published)
  const after = await repo.findFeedback(db, id)
  if (after === undefined) throw new DomainError('resource_not_found')
  return describeFeedback(after)
}

export async function listPublished(
  { db }: Deps,
  language: Language | undefined,
): Promise<z.input<typeof publicReviewSchema>[]> {
  const rows = await repo.selectPublished(db, language)
  return rows.map((row) => ({
    id: row.id,
    username: row.username ?? '',
    rate: row.rate,
    comment: row.comment,
    language: row.language,
    created_at: row.created_at.toISOString(),
  }))
}
