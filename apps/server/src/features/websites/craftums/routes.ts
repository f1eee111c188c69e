import * as routes from '@wakestone/contract/websites/craftums-routes'
import { type Api, implement } from '#src/http/implement.ts'
import {
  changeWebsite,
  listVersions,
  publishWebsite,
  requireFreeName,
  restoreVersion,
  showParameters,
  unpublishWebsite,
} from './service.ts'

export function registerCraftumRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.checkWebsiteName, ({ params, user }) => requireFreeName(context.db, params.name, user.userId))
  implement(api, routes.getCraftumParameters, ({ params }) => showParameters(context, params.id))
  implement(api, routes.changeCraftum, ({ params, body }) => changeWebsite(context, { id: params.id, body }))
  implement(api, routes.publishCraftum, ({ params, body }) =>
    publishWebsite(context, { id: params.id, revision: body.revision, now: new Date() }),
  )
  implement(api, routes.unpublishCraftum, ({ params }) => unpublishWebsite(context, params.id))
  implement(api, routes.listCraftumVersions, ({ params }) => listVersions(context, params.id))
  implement(api, routes.restoreCraftumVersion, ({ params, body }) =>
    restoreVersion(context, { id: params.id, version: params.version, revision: body.revision }),
  )
}
