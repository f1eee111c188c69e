import { getHealth } from '@wakestone/contract/admin/health-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { readHealth } from './service.ts'

export function registerHealthRoutes(api: Api): void {
  implement(api, getHealth, () => readHealth(api.context))
}
