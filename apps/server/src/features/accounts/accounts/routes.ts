import * as routes from '@wakestone/contract/accounts/users-routes'
import { DomainError } from '@wakestone/contract/errors'
import { listServersOf } from '#src/features/servers/servers/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { currencyFor, locate } from '#src/features/ground/location/service.ts'
import { listCraftumsOf } from '#src/features/sales/services/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { answerLogin, clearSessionCookies, refreshCookie, setSessionCookies } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { confirmEmail, resendConfirmation } from './email-confirmation.ts'
import { registerAccountRoutes } from './account-routes.ts'
import { registerDiscordRoutes } from '#src/features/accounts/sign-in/discord-routes.ts'
import { registerSecurityRoutes } from '#src/features/accounts/sign-in/security-routes.ts'
import { loginUser, registerUser, showUser } from './service.ts'
import { endSessionOf, refreshSession } from '#src/features/accounts/sign-in/sessions.ts'
import { requireFreeUsername } from './username.ts'
import { endView } from '#src/features/accounts/sign-in/views.ts'

export function registerUserRoutes(api: Api): void {
  const { context, principals } = api
  const cookies = { settings: context.settings, principals }

  registerAccountRoutes(api)
  registerDiscordRoutes(api)
  registerSecurityRoutes(api)

  implement(api, routes.register, async ({ body, ip, request, reply }) => {
    await requireWithinLimit(context, 'register', { ip })
    const tokens = await registerUser(context, body, deviceOf(request, reply, context.settings))
    await setSessionCookies(reply, cookies, tokens)
    return showUser(context, tokens.userId)
  })
  implement(api, routes.loginLocal, async ({ body, request, reply }) => {
    const outcome = await loginUser(context, body, deviceOf(request, reply, context.settings))
    const { userId } = await answerLogin(reply, cookies, outcome)
    return showUser(context, userId)
  })
  implement(api, routes.verify, async ({ user, query }) => {
    const shown = await showUser(context, user.userId, { simple: query.simple === '1' })
    if (user.actor === undefined) return shown
    const { userId, username, until } = user.actor
    return { ...shown, actor: { user_id: userId, username, until } }
  })
  implement(api, routes.refresh, async ({ request, reply }) => {
    const token = request.cookies[refreshCookie]
    if (token === undefined) throw new DomainError('unauthorized')
    try {
      const tokens = await refreshSession(context, token)
      await setSessionCookies(reply, cookies, tokens)
      return await showUser(context, tokens.userId)
    } catch (error) {
      if (error instanceof DomainError) clearSessionCookies(reply)
      throw error
    }
  })
  implement(api, routes.logout, async ({ user, request, reply }) => {
    if (user?.actor !== undefined) await endView(context, user)
    const token = request.cookies[refreshCookie]
    if (token !== undefined) await endSessionOf(context, token)
    clearSessionCookies(reply)
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
  implement(api, routes.listUserServers, async ({ params }) => listServersOf(context, params.id))
  implement(api, routes.listUserWallets, async ({ params }) => listWalletsOf(context.db, params.id))
  implement(api, routes.listUserCraftums, async ({ params }) => listCraftumsOf(context.db, params.id))
}
