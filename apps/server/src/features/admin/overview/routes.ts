import { getOverview } from '@wakestone/contract/admin/overview-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { readOverview } from './service.ts'

export function registerOverviewRoutes(api: Api): void {
  implement(api, getOverview, () => readOverview(api.context))
}
