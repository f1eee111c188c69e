import * as routes from '@wakestone/contract/marketplace/moderation-routes'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

export function registerModerationRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listWaitingReleases, () => service.listWaiting(context))
  implement(api, routes.decideRelease, ({ user, params, body }) =>
    service.decide(context, user, { releaseId: params.releaseId, body }),
  )
  implement(api, routes.listModeratedProjects, ({ query }) => service.listProjects(context, query))
  implement(api, routes.takeDownProject, ({ user, params, body }) =>
    service.takeDown(context, user, { key: params.slug, reason: body.reason }),
  )
  implement(api, routes.verifyProject, ({ user, params, body }) =>
    service.verify(context, user, { key: params.slug, verified: body.verified }),
  )
  implement(api, routes.quarantineArtifact, ({ body }) => service.quarantine(context, body))
  implement(api, routes.listProjectReports, () => service.listReports(context))
  implement(api, routes.closeProjectReport, ({ params }) => service.closeReport(context, params.reportId))
}
