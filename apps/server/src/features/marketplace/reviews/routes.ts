import * as routes from '@wakestone/contract/marketplace/reviews-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

export function registerProjectReviewRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listProjectReviews, ({ user, params, query }) =>
    service.listReviews(context.db, user, { key: params.slug, before: query.before, limit: query.limit }),
  )
  implement(api, routes.createProjectReview, ({ user, params, body }) =>
    service.createReview(context, user, { key: params.slug, body }),
  )
  implement(api, routes.deleteProjectReview, ({ user, params }) =>
    service.deleteReview(context, user, { key: params.slug, reviewId: params.reviewId }),
  )
  implement(api, routes.answerProjectReview, ({ user, params, body }) =>
    service.answerReview(context, user, { key: params.slug, reviewId: params.reviewId, comment: body.comment }),
  )
  implement(api, routes.reportProject, async ({ user, params, body }) => {
    await requireWithinLimit(context, 'projectReports', { userId: user.userId })
    await service.report(context, user, { key: params.slug, body })
  })
}
