import * as routes from '@wakestone/contract/accounts/feedback-routes'
import { checkServerAccess } from '#src/http/access.ts'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

export function registerFeedbackRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.createReview, async ({ body, user, ip }) => {
    const server =
      body.server_id === undefined
        ? undefined
        : await checkServerAccess(context, user, body.server_id, 'server.manage.read')
    await service.createReview(context, body, { user, ip, server })
  })
  implement(api, routes.listReviews, async ({ query }) => service.listPublished(context, query.language))
  implement(api, routes.getSurvey, async ({ user }) => service.findSurvey(context, user.userId))
  implement(api, routes.noteSurveyShown, async ({ user }) => service.noteSurveyShown(context, user.userId))
  implement(api, routes.getFeedbackFigures, async ({ query }) => service.showFigures(context, query))
  implement(api, routes.listFeedback, async ({ query }) => service.listFeedback(context, query))
  implement(api, routes.publishFeedback, async ({ params, body }) =>
    service.publish(context, params.id, body.published),
  )
}
