import * as routes from '@wakestone/contract/marketplace/projects-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { listFollowed, listFollowedReleases, searchProjects } from './service.ts'

export function registerProjectSearchRoutes(api: Api): void {
  const { db } = api.context
  implement(api, routes.searchProjects, ({ user, query }) => searchProjects(db, user, query))
  implement(api, routes.followedProjects, ({ user, query }) => listFollowed(db, user.userId, query))
  implement(api, routes.followedReleases, ({ user, query }) => listFollowedReleases(db, user.userId, query))
}
