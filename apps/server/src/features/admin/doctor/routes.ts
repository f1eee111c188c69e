import { getSetup } from '@wakestone/contract/admin/setup-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { showSetup } from './setup.ts'

export function registerSetupRoutes(api: Api): void {
  implement(api, getSetup, ({ user }) => showSetup(api.context, user.userId))
}
