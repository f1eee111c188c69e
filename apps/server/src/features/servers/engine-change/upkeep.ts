import type { Context } from '#src/context.ts'
import { selectExpiredSnapshots, writeSnapshotDeleted } from './repo.ts'

/** Deletes copies whose time is over, of servers that are placed now; of others when they are. */
export async function clearSnapshots({ db, fleet, logger }: Pick<Context, 'db' | 'fleet' | 'logger'>): Promise<void> {
  for (const { id, server_id, isGone } of await selectExpiredSnapshots(db)) {
    try {
      const supervisor = isGone ? undefined : await fleet.find(server_id)
      if (supervisor === undefined && !isGone) continue
      await supervisor?.deleteSnapshot(id)
      await writeSnapshotDeleted(db, id)
    } catch (error) {
      logger.info({ serverId: server_id, error }, 'a copy of files cannot be deleted yet')
    }
  }
}
