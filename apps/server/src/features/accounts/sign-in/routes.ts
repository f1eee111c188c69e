import * as routes from '@wakestone/contract/accounts/users-routes'
import * as account from '@wakestone/contract/accounts/account-routes'
import { DomainError } from '@wakestone/contract/errors'
import { showUser } from '#src/features/accounts/users/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { answerLogin, clearSessionCookies, refreshCookie, setSessionCookies } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { clearOwnCookie, setOwnCookie } from '#src/http/own-cookies.ts'
import { registerDiscordRoutes } from './discord-routes.ts'
import { beginEmailLogin, finishEmailLogin } from './email-login.ts'
import { offerTrial } from './offer-trial.ts'
import { changePassword, requestPasswordReset, resetPassword } from './password.ts'
import { registerSecurityRoutes } from './security-routes.ts'
import { loginUser } from './service.ts'
import { endOneSession, endSessionOf, listSessionsOf, refreshSession } from './sessions.ts'
import { endView } from './views.ts'

/** Binds a code sent by mail to the browser that asked for it. */
const emailLoginCookie = 'ws_email_login'

export function registerSignInRoutes(api: Api): void {
  const { context, principals } = api
  const { settings } = context
  const cookies = { settings, principals }

  registerDiscordRoutes(api)
  registerSecurityRoutes(api)

  implement(api, routes.loginLocal, async ({ body, request, reply }) => {
    const outcome = await loginUser(context, body, deviceOf(request, reply, settings))
    const { userId } = await answerLogin(reply, cookies, outcome)
    return showUser(context, userId)
  })
  implement(api, routes.refresh, async ({ request, reply }) => {
    const token = request.cookies[refreshCookie]
    if (token === undefined) throw new DomainError('unauthorized')
    try {
      const tokens = await refreshSession(context, token)
      await setSessionCookies(reply, cookies, tokens)
      return await showUser(context, tokens.userId)
    } catch (error) {
      if (error instanceof DomainError) clearSessionCookies(reply, context.settings)
      throw error
    }
  })
  implement(api, routes.logout, async ({ user, request, reply }) => {
    if (user?.actor !== undefined) await endView(context, user)
    const token = request.cookies[refreshCookie]
    if (token !== undefined) await endSessionOf(context, token)
    clearSessionCookies(reply, context.settings)
  })
  implement(api, routes.verify, async ({ user, query }) => {
    const shown = await api.users.show(user.userId, { simple: query.simple === '1' })
    if (user.actor === undefined) return shown
    const { userId, username, until } = user.actor
    return { ...shown, actor: { user_id: userId, username, until } }
  })
  implement(api, account.beginEmailLogin, async ({ body, ip, request, reply }) => {
    await requireWithinLimit(context, 'mail', { ip })
    const browser = await beginEmailLogin(context, body, deviceOf(request, reply, settings))
    setOwnCookie(reply, settings, { name: emailLoginCookie, value: browser, seconds: 15 * 60 })
  })
  implement(api, account.finishEmailLogin, async ({ body, request, reply }) => {
    const device = deviceOf(request, reply, settings)
    const { outcome, isNew } = await finishEmailLogin(context, request.cookies[emailLoginCookie], body, device)
    clearOwnCookie(reply, settings, emailLoginCookie)
    const { userId } = await answerLogin(reply, cookies, outcome)
    const trial = body.trial === undefined ? null : await offerTrial(context, userId, body.trial)
    const user = await showUser(context, userId)
    return { user, already_exists: !isNew, added_to_queue: false, server: null, voucher: null, ...trial }
  })
  implement(api, account.beginPasswordReset, async ({ body, ip }) => {
    await requireWithinLimit(context, 'mail', { ip })
    await requestPasswordReset(context, body.email)
  })
  implement(api, account.finishPasswordReset, async ({ body, request, reply }) => {
    await resetPassword(context, body, deviceOf(request, reply, settings))
    clearSessionCookies(reply, settings)
  })
  implement(api, account.changePassword, async ({ user, body }) => changePassword(context, user, body))
  implement(api, account.listSessions, async ({ params, user }) => listSessionsOf(context, params.id, user.sessionId))
  implement(api, account.endUserSession, async ({ params }) => endOneSession(context, params.id, params.sessionId))
}
