import * as routes from '@wakestone/contract/accounts/users-routes'
import { listServersOf } from '#src/features/servers/servers/service.ts'
import { limitFailures, requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { currencyFor, locate } from '#src/features/ground/location/service.ts'
import { listWebsitesOf } from '#src/features/websites/craftums/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { setSessionCookies } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { confirmEmail, resendConfirmation } from './email-confirmation.ts'
import { registerAccountChanges } from './account-routes.ts'
import { isAddressTaken, registerUser } from './service.ts'
import { showUser } from '#src/features/accounts/users/service.ts'
import { requireFreeUsername } from './username.ts'

export function registerAccountRoutes(api: Api): void {
  const { context, principals } = api
  const cookies = { settings: context.settings, principals }

  registerAccountChanges(api)

  implement(api, routes.register, async ({ body, ip, request, reply }) => {
    await requireWithinLimit(context, 'register', { ip })
    const device = deviceOf(request, reply, context.settings)
    const tokens = await limitFailures(
      context,
      { action: 'takenAddress', who: { ip, email: body.email }, isFailure: isAddressTaken },
      () => registerUser(context, body, device),
    )
    await setSessionCookies(reply, cookies, tokens)
    return showUser(context, tokens.userId)
  })
  implement(api, routes.confirmEmail, async ({ body, ip }) => confirmEmail(context, body.code, ip))
  implement(api, routes.resendEmail, async ({ user }) => resendConfirmation(context, user.userId))
  implement(api, routes.checkUsername, async ({ params }) => requireFreeUsername(context, params.name))
  implement(api, routes.locationInfo, async (call) => {
    const { country, source } = locate(call, context.settings)
    // The rate is what they would pay: a company with a VAT id may pay none.
    const { user } = call
    const { vat_rate } = await taxOf(
      context.db,
      user === undefined ? { countryCode: country } : { userId: user.userId },
    )
    return { country_code: country, vat_rate, currency: currencyFor(call, country), source }
  })
  implement(api, routes.getUser, async ({ params }) => showUser(context, params.id))
  implement(api, routes.listUserServers, async ({ user, params }) =>
    // Administrators see what they have hidden.
    listServersOf(context, params.id, { hidden: user.userId !== params.id }),
  )
  implement(api, routes.listUserWallets, async ({ user, params }) => {
    // Administrators may ask for anybody, also for nobody.
    if (user.userId !== params.id) await showUser(context, params.id)
    return listWalletsOf(context.db, params.id)
  })
  implement(api, routes.listUserCraftums, async ({ params }) => listWebsitesOf(context, params.id))
}
