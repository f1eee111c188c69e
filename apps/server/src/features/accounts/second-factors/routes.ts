import * as routes from '@wakestone/contract/accounts/security-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { addPasskey, beginPasskey, nameAnew, removePasskey } from './passkeys.ts'
import { beginTotp, finishTotp, renewRecoveryCodes, showSecurity, switchTotpOff } from './two-step.ts'

export function registerSecondFactorRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getSecurity, async ({ user }) => showSecurity(context, user.userId))
  implement(api, routes.beginTotp, async ({ user }) => beginTotp(context, user.userId))
  implement(api, routes.confirmTotp, async ({ user, body }) => ({
    recovery_codes: await finishTotp(context, user.userId, body.code),
  }))
  implement(api, routes.removeTotp, async ({ user }) => switchTotpOff(context, user.userId))
  implement(api, routes.renewRecoveryCodes, async ({ user }) => ({
    recovery_codes: await renewRecoveryCodes(context, user.userId),
  }))
  implement(api, routes.beginPasskey, async ({ user }) => ({
    options: (await beginPasskey(context, user)) as unknown as Record<string, unknown>,
  }))
  implement(api, routes.addPasskey, async ({ user, body }) => addPasskey(context, user, body))
  implement(api, routes.renamePasskey, async ({ user, params, body }) =>
    nameAnew(context, user.userId, params.passkeyId, body.name),
  )
  implement(api, routes.removePasskey, async ({ user, params }) =>
    removePasskey(context, user.userId, params.passkeyId),
  )
}
