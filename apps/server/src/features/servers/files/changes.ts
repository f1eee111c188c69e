/**
 * What was done with the files of a server, as events: one for each minute and kind, however many files it were. Counted in
 * the database until the minute is over, so that a process that ends loses none.
 */
import type { AuditAction, EventDetails } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { currentlyActing, recordServerEvent } from '#src/features/ground/events/service.ts'
import { addChange, type ChangeRow, takeChanges, tellFilesChanged } from './repo.ts'

/** Each kind by its event. */
const actions = {
  upload: 'UPLOADED_FILES',
  save: 'SERVER_FILES_SAVE',
  folder: 'SERVER_FILES_FOLDER',
  move: 'SERVER_FILES_MOVE',
  copy: 'SERVER_FILES_COPY',
  trash: 'SERVER_FILES_TRASH',
  restore: 'SERVER_FILES_RESTORE',
  remove: 'SERVER_FILES_REMOVE',
  pack: 'SERVER_FILES_PACK',
  chmod: 'SERVER_FILES_PERMISSIONS',
  download: 'SERVER_FILES_DOWNLOAD',
} as const satisfies Record<string, AuditAction>
export type FileChangeKind = keyof typeof actions

export type FileChange = {
  serverId: string
  kind: FileChangeKind
  userId: string | null
  paths: readonly string[]
  /** How many, where not all are named. */
  count?: number
  bytes?: number
  /** The folder or file that it led to. */
  to?: string
}

/** Notes what was done: who watches is told at once that something was, and by an event what, once the minute is over. */
export async function noteFileChange(
  { db }: Pick<Context, 'db'>,
  { serverId, kind, userId, paths, count = paths.length, bytes = 0, to }: FileChange,
): Promise<void> {
  if (count === 0) return
  await addChange(db, {
    serverId,
    action: actions[kind],
    executor: userId,
    acting: currentlyActing(),
    count,
    bytes,
    paths,
    target: to ?? null,
  })
  if (kind !== 'download') await tellFilesChanged(db, serverId)
}

const toldAtOnce = 200

/** Tells of all minutes that are over. */
export async function tellFileChanges({ db }: Pick<Context, 'db'>): Promise<void> {
  for (;;) {
    const told = await inTransaction(db, async (trx) => {
      const rows = await takeChanges(trx, toldAtOnce)
      for (const row of rows) await tell(trx, row)
      return rows.length
    })
    if (told < toldAtOnce) return
  }
}

async function tell(trx: Transaction, row: ChangeRow): Promise<void> {
  const executor = row.executor === null ? {} : { executor: row.executor }
  const acting = row.acting as object
  if (row.action === actions.upload) {
    const data = { ...executor, path: folderOf(row.paths), files: row.paths, total_size: row.bytes, count: row.count }
    await recordServerEvent(trx, row.server_id, { action: actions.upload, data: { ...data, ...acting } })
    return
  }
  const data: EventDetails<'SERVER_FILES_MOVE'> = {
    ...executor,
    count: row.count,
    paths: row.paths,
    ...(row.target !== null && { to: row.target }),
    ...(row.bytes > 0 && { total_size: row.bytes }),
  }
  await recordServerEvent(trx, row.server_id, {
    action: row.action as 'SERVER_FILES_MOVE',
    data: { ...data, ...acting },
  })
}

/** The folder that all are in. */
function folderOf([first = '', ...others]: readonly string[]): string {
  const names = first.split('/').slice(0, -1)
  while (names.length > 0 && !others.every((path) => path.startsWith(`${names.join('/')}/`))) names.pop()
  return names.join('/')
}
