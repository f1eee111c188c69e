import * as routes from '@wakestone/contract/accounts/account-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { answerLogin, clearSessionCookies, setOwnCookie } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { cancelDeletion, scheduleDeletion, sendDeletionCode } from './deletion.ts'
import { requestEmailChange } from './email-change.ts'
import { beginEmailLogin, finishEmailLogin } from '#src/features/accounts/sign-in/email-login.ts'
import { changePassword, requestPasswordReset, resetPassword } from '#src/features/accounts/sign-in/password.ts'
import { offerTrial } from './offer-trial.ts'
import { showUser } from './service.ts'
import { endOneSession, listSessionsOf } from '#src/features/accounts/sign-in/sessions.ts'
import { changeUsername } from './username.ts'

/** Binds a code sent by mail to the browser that asked for it. */
const emailLoginCookie = 'ws_email_login'

export function registerAccountRoutes(api: Api): void {
  const { context, principals } = api
  const { settings } = context

  implement(api, routes.beginPasswordReset, async ({ body, ip }) => {
    await requireWithinLimit(context, 'mail', { ip, email: body.email })
    await requestPasswordReset(context, body.email)
  })
  implement(api, routes.finishPasswordReset, async ({ body, reply }) => {
    await resetPassword(context, body)
    clearSessionCookies(reply)
  })
  implement(api, routes.changePassword, async ({ user, body }) => changePassword(context, user, body))
  implement(api, routes.changeEmail, async ({ user, body, ip }) => {
    await requireWithinLimit(context, 'mail', { ip, email: body.email })
    await requestEmailChange(context, user.userId, body)
  })
  implement(api, routes.changeUsername, async ({ user, body }) => {
    await changeUsername(context, user.userId, body.username)
    return showUser(context, user.userId)
  })
  implement(api, routes.beginEmailLogin, async ({ body, ip, reply }) => {
    await requireWithinLimit(context, 'mail', { ip, email: body.email })
    const browser = await beginEmailLogin(context, body)
    setOwnCookie(reply, settings, { name: emailLoginCookie, value: browser, seconds: 15 * 60 })
  })
  implement(api, routes.finishEmailLogin, async ({ body, request, reply }) => {
    const device = deviceOf(request, reply, settings)
    const { outcome, isNew } = await finishEmailLogin(context, request.cookies[emailLoginCookie], body, device)
    void reply.clearCookie(emailLoginCookie, { path: '/' })
    const { userId } = await answerLogin(reply, { settings, principals }, outcome)
    const trial = body.trial === undefined ? null : await offerTrial(context, userId, body.trial)
    const user = await showUser(context, userId)
    return { user, already_exists: !isNew, added_to_queue: false, server: null, voucher: null, ...trial }
  })
  implement(api, routes.resendDeletionCode, async ({ user }) => sendDeletionCode(context, user.userId))
  implement(api, routes.confirmDeletion, async ({ user, query }) => {
    await scheduleDeletion(context, user.userId, query.code)
    return showUser(context, user.userId)
  })
  implement(api, routes.cancelDeletion, async ({ user }) => {
    await cancelDeletion(context, user.userId)
    return showUser(context, user.userId)
  })
  implement(api, routes.listSessions, async ({ params, user }) => listSessionsOf(context, params.id, user.sessionId))
  implement(api, routes.endUserSession, async ({ params }) => endOneSession(context, params.id, params.sessionId))
}
