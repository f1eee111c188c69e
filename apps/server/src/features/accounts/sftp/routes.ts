import * as remoteFiles from '@wakestone/contract/servers/remotefs-routes'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { registerSftpGateway } from './gateway.ts'
import { createPassword, deletePassword, describeRemoteFiles, setKeysOnly } from './service.ts'

export function registerSftpRoutes(
  api: Api,
  changes: { changes: ServerChanges; operationChanges: ServerChanges },
): void {
  const { context } = api
  implement(api, remoteFiles.getRemoteFiles, async ({ server, user }) => describeRemoteFiles(context, server, user))
  implement(api, remoteFiles.changeRemoteFiles, async ({ server, user, body }) => {
    await setKeysOnly(context, server, { userId: user.userId, value: body.keys_only })
    return describeRemoteFiles(context, server, user)
  })
  implement(api, remoteFiles.createRemoteFilesToken, async ({ server, user }) => createPassword(context, server, user))
  implement(api, remoteFiles.deleteRemoteFilesToken, async ({ server, user }) => deletePassword(context, server, user))
  registerSftpGateway(api, changes)
}
