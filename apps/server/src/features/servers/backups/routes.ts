import { create } from 'content-disposition'
import { hasCapability } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/backups-routes'
import { backupContent } from '@wakestone/contract/servers/backups-transports'
import { Answer, type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import * as service from './service.ts'

export function registerBackupRoutes(api: Api): void {
  const { context } = api
  const { db } = context

  implement(api, routes.listBackups, ({ server }) => service.listBackups(db, server.id))
  implement(api, routes.getBackupPlan, ({ server }) => service.describePlan(db, server))
  implement(api, routes.createBackup, ({ server, user, body }) =>
    service.createBackup(context, { server, userId: user.userId }, body),
  )
  implement(api, routes.changeBackup, ({ server, user, params, body }) =>
    service.changeBackup(db, { server, userId: user.userId }, params.snapshotId, body),
  )
  implement(api, routes.deleteBackup, async ({ server, user, params }) => {
    const deleted = await service.deleteBackup(db, { server, userId: user.userId }, params.snapshotId)
    return new Answer(201, deleted)
  })
  implement(api, routes.bringBackBackup, ({ server, user, params }) =>
    service.bringBackBackup(db, { server, userId: user.userId }, params.snapshotId),
  )
  implement(api, routes.restoreBackup, ({ server, user, params, body }) =>
    service.restoreBackup(context, { server, userId: user.userId }, params.snapshotId, body),
  )
  implement(api, routes.undoRestore, ({ server, user, params, body }) =>
    service.undoRestore(context, { server, userId: user.userId }, params.process_id, body),
  )
  implement(api, routes.listBackupWorlds, ({ server, params }) =>
    service.listWorlds(context, server, params.snapshotId),
  )
  implement(api, routes.findBackupPlayer, ({ server, params }) =>
    service.findPlayer(context, server, params.snapshotId, params.player_id),
  )
  implement(api, routes.listBackupFiles, ({ server, params, query }) =>
    service.listFiles(context, server, params.snapshotId, query.path),
  )
  implement(api, routes.compareBackup, ({ server, params, query }) =>
    service.compareBackup(context, server, params.snapshotId, query.until),
  )
  implementTransport(api, backupContent, async ({ params, query, user, reply }) => {
    const { name, type, bytes, content } = await service.download(context, params, { ...query, userId: user.userId })
    return reply
      .headers({
        'content-type': type,
        ...(bytes !== null && { 'content-length': bytes }),
        'content-disposition': create(name),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      })
      .send(content)
  })
  implement(api, routes.tellBackupKey, async ({ server, user }) => {
    // Whoever has it can read everything, now and later: that is its owner's to give away, and known to who runs all this.
    if (user.userId !== server.owner_id && !hasCapability(user.capabilities, 'admin'))
      throw new DomainError('insufficient_capabilities')
    return service.tellKey(context, server)
  })
}
