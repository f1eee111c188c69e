import { DomainError } from '@wakestone/contract/errors'
import * as keys from '@wakestone/contract/accounts/ssh-keys-routes'
import * as remoteFiles from '@wakestone/contract/servers/remotefs-routes'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { registerSftpGateway } from './gateway.ts'
import { addSshKey, deleteSshKey, listSshKeysOf } from './keys.ts'
import { createPassword, deletePassword, describeRemoteFiles, setKeysOnly } from './service.ts'

export function registerSftpRoutes(
  api: Api,
  changes: { changes: ServerChanges; operationChanges: ServerChanges },
): void {
  const { context } = api
  implement(api, keys.listSshKeys, async ({ params }) => listSshKeysOf(context, params.id))
  implement(api, keys.createSshKey, async ({ params, user, body, ip }) => {
    // An administrator may see and remove the keys of others, not add one that opens their servers.
    if (params.id !== user.userId) throw new DomainError('access_denied')
    return addSshKey(context, { userId: user.userId, ip }, body)
  })
  implement(api, keys.deleteSshKey, async ({ params, ip }) =>
    deleteSshKey(context, { userId: params.id, keyId: params.keyId, ip }),
  )

  implement(api, remoteFiles.getRemoteFiles, async ({ server, user }) => describeRemoteFiles(context, server, user))
  implement(api, remoteFiles.changeRemoteFiles, async ({ server, user, body }) => {
    await setKeysOnly(context, server, { userId: user.userId, value: body.keys_only })
    return describeRemoteFiles(context, server, user)
  })
  implement(api, remoteFiles.createRemoteFilesToken, async ({ server, user }) => createPassword(context, server, user))
  implement(api, remoteFiles.deleteRemoteFilesToken, async ({ server, user }) => deletePassword(context, server, user))
  registerSftpGateway(api, changes)
}
