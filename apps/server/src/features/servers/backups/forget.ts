/** Lets backups go whose time is over: first nobody is shown them any more, then their snapshots go. */
import * as restic from '#src/adapters/restic/restic.ts'
import type { Db } from '#src/db/client.ts'
import * as repo from './repo.ts'
import { type RepositoryDeps, resticOf, unlocked, withLock } from './repository.ts'
import { chooseForgotten } from './retention.ts'

/** Decides what goes. A backup that has no successor known to be readable never does. */
export async function forgetOld(db: Db, serverId: string, now = new Date()): Promise<void> {
  const backups = await repo.selectBackups(db, serverId)
  await repo.writeForgotten(db, chooseForgotten(backups, await repo.findRule(db, serverId), now))
}

/** Removes the snapshots of those that are forgotten, as often as it is asked for. */
export async function removeForgotten(
  deps: RepositoryDeps,
  row: repo.RepositoryRow,
  signal: AbortSignal,
): Promise<void> {
  if (deps.settings.BACKUP_APPEND_ONLY) {
    const gone = await repo.selectForgotten(deps.db, row.id)
    return repo.writeRemoved(
      deps.db,
      gone.map(({ id }) => id),
    )
  }
  const access = unlocked(deps, row)
  for (;;) {
    const gone = await repo.selectForgotten(deps.db, row.id)
    if (gone.length === 0) return
    const ids = gone.map(({ snapshot_id }) => snapshot_id)
    await withLock(deps, row, signal, () => restic.forgetSnapshots(resticOf(deps), access, ids))
    await repo.updateRepository(deps.db, row.id, { prune_wanted: true })
    await repo.writeRemoved(
      deps.db,
      gone.map(({ id }) => id),
    )
  }
}
