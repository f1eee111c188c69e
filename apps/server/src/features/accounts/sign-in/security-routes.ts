import { randomBytes } from 'node:crypto'
import * as routes from '@wakestone/contract/accounts/security-routes'
import { askForPasskey, findFactors } from '#src/features/accounts/second-factors/service.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import {
  clearLoginChallenge,
  loginChallengeCookie,
  passkeyCookie,
  setPasskeyCookie,
  setSessionCookies,
} from '#src/http/cookies.ts'
import { findWaitingLogin, finishLogin } from './login-steps.ts'
import { loginWithPasskey } from './passkey-login.ts'
import { showUser } from '#src/features/accounts/users/service.ts'
import { mailStepUp, proveOwner, showStepUp } from './step-up.ts'

export function registerSecurityRoutes(api: Api): void {
  const { context, principals } = api
  const { settings } = context
  const cookies = { settings, principals }
  const json = (options: object) => ({ options: options as Record<string, unknown> })

  implement(api, routes.beginPasskeyLogin, async ({ request, reply }) => {
    const kept = request.cookies[passkeyCookie] ?? ''
    const browser = /^[\w-]{43}$/.test(kept) ? kept : randomBytes(32).toString('base64url')
    setPasskeyCookie(reply, settings, browser)
    return json(await askForPasskey(context, { purpose: 'login', boundTo: browser }))
  })
  implement(api, routes.loginWithPasskey, async ({ body, request, reply }) => {
    const device = deviceOf(request, reply, settings)
    const tokens = await loginWithPasskey(context, request.cookies[passkeyCookie], body.response, device)
    await setSessionCookies(reply, cookies, tokens)
    return showUser(context, tokens.userId)
  })

  implement(api, routes.getSecondStep, async ({ request }) => {
    const { userId } = await findWaitingLogin(context, request.cookies[loginChallengeCookie])
    return findFactors(context.db, userId)
  })
  implement(api, routes.beginSecondPasskey, async ({ request }) => {
    const { id, userId } = await findWaitingLogin(context, request.cookies[loginChallengeCookie])
    return json(await askForPasskey(context, { userId, purpose: 'second_step', boundTo: `login:${id}` }))
  })
  implement(api, routes.finishLoginWithCode, async ({ body, request, reply }) => {
    const device = deviceOf(request, reply, settings)
    const browser = request.cookies[loginChallengeCookie]
    const tokens = await finishLogin(context, browser, { method: 'code', code: body.code }, device)
    clearLoginChallenge(reply, settings)
    await setSessionCookies(reply, cookies, tokens)
    return showUser(context, tokens.userId)
  })
  implement(api, routes.finishLoginWithPasskey, async ({ body, request, reply }) => {
    const device = deviceOf(request, reply, settings)
    const browser = request.cookies[loginChallengeCookie]
    const tokens = await finishLogin(context, browser, { method: 'passkey', response: body.response }, device)
    clearLoginChallenge(reply, settings)
    await setSessionCookies(reply, cookies, tokens)
    return showUser(context, tokens.userId)
  })

  implement(api, routes.getStepUp, async ({ user }) => showStepUp(context, user))
  implement(api, routes.stepUp, async ({ user, body }) => {
    await proveOwner(context, user, body)
    return showStepUp(context, user)
  })
  implement(api, routes.mailStepUp, async ({ user }) => mailStepUp(context, user.userId))
  implement(api, routes.beginStepUpPasskey, async ({ user }) =>
    json(await askForPasskey(context, { userId: user.userId, purpose: 'step_up', boundTo: user.sessionId })),
  )
}
