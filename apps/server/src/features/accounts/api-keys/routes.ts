import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/accounts/api-keys-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeApiKey, createApiKey, deleteApiKey, listApiKeysOf } from './service.ts'

export function registerApiKeyRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listApiKeys, async ({ params }) => listApiKeysOf(context, params.id))
  implement(api, routes.createApiKey, async ({ params, user, body, ip }) => {
    requireOwn(params.id, user.userId)
    return createApiKey(context, { user, ip }, body)
  })
  implement(api, routes.changeApiKey, async ({ params, user, body, ip }) => {
    requireOwn(params.id, user.userId)
    return changeApiKey(context, { userId: params.id, keyId: params.keyId, ip }, body)
  })
  implement(api, routes.deleteApiKey, async ({ params, ip }) =>
    deleteApiKey(context, { userId: params.id, keyId: params.keyId, ip }),
  )
}

/** An administrator may see and revoke the keys of others, not hold one that acts for them. */
function requireOwn(userId: string, callerId: string): void {
  if (userId !== callerId) throw new DomainError('access_denied')
}
