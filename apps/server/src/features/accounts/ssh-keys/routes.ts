import * as routes from '@wakestone/contract/accounts/ssh-keys-routes'
import { DomainError } from '@wakestone/contract/errors'
import { type Api, implement } from '#src/http/implement.ts'
import { addSshKey, deleteSshKey, listSshKeysOf } from './service.ts'

export function registerSshKeyRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listSshKeys, async ({ params }) => listSshKeysOf(context, params.id))
  implement(api, routes.createSshKey, async ({ params, user, body, ip }) => {
    // An administrator may see and remove the keys of others, not add one that opens their servers.
    if (params.id !== user.userId) throw new DomainError('access_denied')
    return addSshKey(context, { userId: user.userId, ip }, body)
  })
  implement(api, routes.deleteSshKey, async ({ params, ip }) =>
    deleteSshKey(context, { userId: params.id, keyId: params.keyId, ip }),
  )
}
