import { projectDependencies } from '@wakestone/contract/marketplace/projects-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { listDependencies } from './service.ts'

export function registerProjectDependencyRoutes(api: Api): void {
  implement(api, projectDependencies, ({ user, params, query }) =>
    listDependencies(api.context.db, user, { key: params.slug, language: query.language }),
  )
}
