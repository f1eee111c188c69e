import * as routes from '@wakestone/contract/accounts/account-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { cancelDeletion, scheduleDeletion, sendDeletionCode } from './deletion.ts'
import { requestEmailChange } from './email-change.ts'
import { showUser } from '#src/features/accounts/users/service.ts'
import { setLocale } from './locale.ts'
import { changeUsername } from './username.ts'

export function registerAccountChanges(api: Api): void {
  const { context } = api

  implement(api, routes.changeEmail, async ({ user, body, ip }) => {
    await requireWithinLimit(context, 'mail', { ip, email: body.email })
    await requestEmailChange(context, user.userId, body)
  })
  implement(api, routes.changeUsername, async ({ user, body }) => {
    await changeUsername(context, user.userId, body.username)
    return showUser(context, user.userId)
  })
  implement(api, routes.setLocale, async ({ params, body }) => setLocale(context, params.id, body))
  implement(api, routes.resendDeletionCode, async ({ user }) => sendDeletionCode(context, user.userId))
  implement(api, routes.confirmDeletion, async ({ user, query }) => {
    await scheduleDeletion(context, user.userId, query.code)
    return showUser(context, user.userId)
  })
  implement(api, routes.cancelDeletion, async ({ user }) => {
    await cancelDeletion(context, user.userId)
    return showUser(context, user.userId)
  })
}
