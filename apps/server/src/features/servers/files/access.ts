/** When the files of a server may be looked at, and when they may be changed. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import type { FilesClient } from '#src/adapters/files/client.ts'
import { requireFreeFiles } from '#src/features/servers/operations/service.ts'
import { isDisabled, type ServerRow, workloadOf } from '#src/features/servers/servers/service.ts'

/** @throws DomainError for a server that has no files: not yet, or no more. */
export function requireFiles(server: ServerRow): void {
  if (server.files_deleted_at !== null || server.volume_removed_at !== null)
    throw new DomainError('server_has_no_files', { resource: 'server' })
  if (server.prepared_at === null) throw new DomainError('server_is_preparing', { resource: 'server' })
}

/** @throws DomainError also while an operation has the files to itself, and of a server that stands still for its owner. */
export async function requireWritableFiles(db: Handle, server: ServerRow): Promise<void> {
  requireFiles(server)
  if (isDisabled(server)) throw new DomainError('server_is_disabled', { resource: 'server' })
  await requireFreeFiles(db, server.id)
}

/** Neither wakes the server nor needs anything of it but its storage. */
export function filesOf({ fleet }: Pick<Context, 'fleet'>, server: ServerRow): FilesClient {
  requireFiles(server)
  return fleet.files(workloadOf(server))
}

/** Why nobody may write to the files of a server now; undefined where they may. */
export async function findRefusedWrite(db: Handle, serverId: string): Promise<DomainError | undefined> {
  try {
    await requireFreeFiles(db, serverId)
    return undefined
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
