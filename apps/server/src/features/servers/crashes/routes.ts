import * as routes from '@wakestone/contract/servers/crash-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { showCrash } from './service.ts'

export function registerCrashRoutes(api: Api): void {
  implement(api, routes.getLastCrash, async ({ server }) => ({ crash: await showCrash(api.context.db, server) }))
}
