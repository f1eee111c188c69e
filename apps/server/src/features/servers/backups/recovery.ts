/** After a machine is lost: servers come back on another one with the files of their last backups. */
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle } from '#src/db/client.ts'
import { beginOperation } from '#src/features/servers/operations/service.ts'
import * as repo from './recovery-repo.ts'
import type { RestoreInput } from './restore.ts'

export { resetForRecovery } from './recovery-repo.ts'

/** Servers that would have to be brought back, with where their backups are. */
export const listRecoverable = (db: Handle) => repo.selectRecoverable(db)

/**
 * Begins a restore of the last backup of every server. They are held down since `resetForRecovery`, so none begins with
 * an empty world before. One without a backup is let go, and stays off until somebody starts it.
 */
export async function recoverServers({
  db,
  boss,
}: Pick<Context, 'db' | 'boss'>): Promise<{ begun: string[]; without: string[] }> {
  const begun: string[] = []
  const without: string[] = []
  for (const { id, name, backup_id, snapshot_id, bytes } of await repo.selectRecoverable(db)) {
    await inTransaction(db, async (trx) => {
      if (backup_id === null || snapshot_id === null) {
        await repo.letGo(trx, id)
        without.push(name)
        return
      }
      const input: RestoreInput = {
        backupId: backup_id,
        snapshot: snapshot_id,
        paths: null,
        bytes: Number(bytes),
        safety: false,
      }
      await beginOperation({ boss }, trx, { serverId: id, kind: 'backup_restore', input, userId: null })
      begun.push(name)
    })
  }
  return { begun, without }
}
