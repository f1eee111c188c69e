/** Whether backups could be made and restored just now. */
import * as restic from '#src/adapters/restic/restic.ts'
import type { Handle } from '#src/db/client.ts'
import { provideRestic } from '#src/adapters/restic/program.ts'
import * as repo from './repo.ts'
import { type RepositoryDeps, resticOf, unlocked } from './repository.ts'

export type StorageState = repo.StorageFacts & {
  /** Why the program cannot be had. */
  programFault: string | null
  /** Of the repository that was used last: where it is, and why it cannot be read. Null: there is none yet. */
  probe: { location: string; fault: string | null } | null
}

/** @param reads whether a repository is opened, which takes a sandbox. */
export async function checkBackupStorage(
  deps: Omit<RepositoryDeps, 'db'> & { db: Handle },
  { reads }: { reads: boolean },
): Promise<StorageState> {
  const facts = await repo.selectStorageFacts(deps.db)
  const programFault = await provideRestic(deps.settings).then(
    () => null,
    (error: Error) => error.message,
  )
  const row = await repo.findLastUsedRepository(deps.db)
  if (row === undefined || programFault !== null || !reads) return { ...facts, programFault, probe: null }
  const fault = await restic.listSnapshots(resticOf(deps), unlocked(deps, row)).then(
    () => null,
    (error: Error) => error.message,
  )
  return { ...facts, programFault, probe: { location: row.location, fault } }
}
