/** Tells the owner in time that a server's disk space is nearly used up: once, until it has become emptier. */
import { eventLevels } from '@wakestone/contract/ground/event'
import { type Db, inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { turnDiskWarning } from './disk-repo.ts'

export function warnOfFullDisk(db: Db, serverId: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    const turned = await turnDiskWarning(trx, serverId)
    if (!turned?.disk_warned) return
    const { disk_bytes: used, storage } = turned
    const free = Math.max(0, storage - used)
    const percent = Math.round((used / storage) * 100)
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_DISC_QUOTA_WARNING',
      level: eventLevels.WARN,
      data: { free_bytes: free, percentage: percent },
    })
    await notify(trx, {
      userId: turned.owner_id,
      resource: { type: 'server', id: serverId },
      kind: 'SERVER_DISK_QUOTA_WARNING',
      fields: { server: turned.name, free, percent },
    })
  })
}
