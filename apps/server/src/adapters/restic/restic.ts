/** What is done with repositories of backups. Each call is a box of its own beside the server. */
import { leftOutOfBackups, type BackupDetails } from '@wakestone/contract/servers/backups'
import { ResticError } from './errors.ts'
import {
  parseLine,
  readFileError,
  readProgress,
  readSnapshotIds,
  readSummary,
  type ResticProgress,
} from './messages.ts'
import { type Repository, type ResticDeps, resticInside, runRestic } from './run.ts'

export { ResticError } from './errors.ts'
export type { ResticProgress } from './messages.ts'
export { NoRestic } from './program.ts'
export type { Repository, ResticDeps } from './run.ts'
export { isFolder, locationFor } from './storage.ts'

/** How long a lock of somebody else is waited for. */
const lockWait = ['--retry-lock', '30s']
/** A file could not be read, and all others were. */
const partial = 3
const mostFileErrors = 20
/** The host that all snapshots of a server name, whichever machine makes them. */
const hostOf = ({ serverId }: Repository) => serverId
export const volumeInside = '/data'

type Watched = { onProgress?: (progress: ResticProgress) => void; signal?: AbortSignal }

/** Makes a repository; nothing happens to one that is there. */
export async function initRepository(deps: ResticDeps, repository: Repository): Promise<void> {
  // As one that writes, since its folder is made for those alone.
  const isThere = await runRestic(deps, repository, { args: ['cat', 'config'], writes: true }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResticError && error.fault === 'missing') return false
      throw error
    },
  )
  if (!isThere) await runRestic(deps, repository, { args: ['init', '--json'], writes: true })
}

export type Made = { details: BackupDetails; incomplete: boolean; fileErrors: string[] }

/** @returns `unchanged` where nothing has changed since the snapshot before, and that was to be told. */
export async function makeSnapshot(
  deps: ResticDeps,
  repository: Repository,
  {
    tags,
    skipsUnchanged,
    leavesOut = leftOutOfBackups,
    onProgress,
    signal,
  }: Watched & { tags: string[]; skipsUnchanged: boolean; leavesOut?: readonly string[] },
): Promise<Made | 'unchanged'> {
  const fileErrors: string[] = []
  let summary: BackupDetails | 'skipped' | undefined
  const { code } = await runRestic(deps, repository, {
    args: [
      'backup',
      '--json',
      ...lockWait,
      '--host',
      hostOf(repository),
      '--group-by',
      'host',
      ...tags.flatMap((tag) => ['--tag', tag]),
      ...leavesOut.flatMap((name) => ['--exclude', `${volumeInside}/${name}`]),
      ...(skipsUnchanged ? ['--skip-if-unchanged'] : []),
      '.',
    ],
    writes: true,
    volume: 'read',
    accepts: [partial],
    onLine(text) {
      const line = parseLine(text)
      if (line === undefined) return
      const progress = readProgress(line)
      if (progress !== undefined) onProgress?.(progress)
      summary = readSummary(line) ?? summary
    },
    onError(line) {
      const error = readFileError(line)
      if (error !== undefined && fileErrors.length < mostFileErrors) fileErrors.push(error)
    },
    ...(signal && { signal }),
  })
  if (summary === 'skipped') return 'unchanged'
  if (summary === undefined) throw new ResticError('failed', 'restic backup: no summary')
  return { details: summary, incomplete: code === partial, fileErrors }
}

/** Ids of the snapshots with this tag. */
export async function findSnapshots(deps: ResticDeps, repository: Repository, tag: string): Promise<string[]> {
  let answer = '[]'
  await runRestic(deps, repository, {
    args: ['snapshots', '--json', '--tag', tag],
    writes: false,
    onLine: (text) => void (answer = text.startsWith('[') ? text : answer),
  })
  return readSnapshotIds(answer)
}

/** Ids of all snapshots that are there. */
export async function listSnapshots(deps: ResticDeps, repository: Repository): Promise<Set<string>> {
  const ids = new Set<string>()
  await runRestic(deps, repository, {
    args: ['list', 'snapshots'],
    writes: false,
    onLine: (text) => void (/^[0-9a-f]{64}$/.test(text) && ids.add(text)),
  })
  return ids
}

/**
 * Checks that all snapshots can be read: index, folders, and that every part they need is there.
 * @param part of seven whose data is read as well, from 1 on
 * @throws ResticError `damaged`
 */
export async function checkRepository(
  deps: ResticDeps,
  repository: Repository,
  { part, signal }: { part?: number; signal?: AbortSignal } = {},
): Promise<void> {
  let errors = 0
  const checked = runRestic(deps, repository, {
    args: ['check', '--json', ...(part === undefined ? [] : [`--read-data-subset=${part}/7`])],
    writes: false,
    onLine(text) {
      const told = parseLine(text)?.['num_errors']
      if (typeof told === 'number') errors = told
    },
    ...(signal && { signal }),
  })
  await checked.catch((error: unknown) => {
    if (errors > 0) throw new ResticError('damaged', (error as Error).message)
    throw error
  })
}

/**
 * Forgets snapshots; those that are gone already do not matter. Room comes back with `pruneRepository`.
 * @throws ResticError `failed` where the storage keeps one, which restic itself takes for no failure
 */
export async function forgetSnapshots(deps: ResticDeps, repository: Repository, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const there = await listSnapshots(deps, repository)
  const wanted = ids.filter((id) => there.has(id))
  if (wanted.length === 0) return
  const { said } = await runRestic(deps, repository, {
    args: ['forget', '--json', ...lockWait, ...wanted],
    writes: true,
  })
  if (said.length === 0) return
  const left = await listSnapshots(deps, repository)
  if (wanted.some((id) => left.has(id))) throw new ResticError('failed', `restic forget: ${said.join(' · ')}`)
}

export async function pruneRepository(deps: ResticDeps, repository: Repository): Promise<void> {
  // Rewriting a little less is much less work.
  await runRestic(deps, repository, { args: ['prune', ...lockWait, '--max-unused', '10%'], writes: true })
}

/** Removes locks of those who are gone. @param all also of those who may not be. */
export async function unlockRepository(
  deps: ResticDeps,
  repository: Repository,
  { all }: { all: boolean },
): Promise<void> {
  await runRestic(deps, repository, { args: ['unlock', ...(all ? ['--remove-all'] : [])], writes: true })
}

/** When the youngest lock was renewed; undefined: there is none. Whoever works renews theirs every five minutes. */
export async function findYoungestLock(deps: ResticDeps, repository: Repository): Promise<Date | undefined> {
  const ids: string[] = []
  await runRestic(deps, repository, {
    args: ['list', 'locks'],
    writes: false,
    onLine: (text) => void (/^[0-9a-f]{64}$/.test(text) && ids.length < 20 && ids.push(text)),
  })
  let youngest: Date | undefined
  for (const id of ids) {
    let text = ''
    await runRestic(deps, repository, {
      args: ['cat', 'lock', id],
      writes: false,
      onLine: (line) => void (text += line),
    }).catch(() => undefined) // it was taken away meanwhile
    const time = Date.parse(String(/"time":\s*"([^"]+)"/.exec(text)?.[1] ?? ''))
    if (!Number.isNaN(time) && (youngest === undefined || time > youngest.getTime())) youngest = new Date(time)
  }
  return youngest
}

/** Bytes that all snapshots take together in the storage. */
export async function measureRepository(deps: ResticDeps, repository: Repository): Promise<number | undefined> {
  let size: number | undefined
  await runRestic(deps, repository, {
    args: ['stats', '--json', '--mode', 'raw-data'],
    writes: false,
    onLine(text) {
      const told = parseLine(text)?.['total_size']
      if (typeof told === 'number' && told >= 0) size = told
    },
  })
  return size
}

/**
 * What is written counts as the box's memory until the disk has it: with less, restic waits for the disk all the time, and
 * took up to twice as long.
 */
const restoreMemoryBytes = 2 * 1024 ** 3

/**
 * restic, once the folders above and of its target are folders or nothing: what the game has put there instead, a link or a
 * file, goes, as that place is ours. Paths of ours alone stand in it, which need no quotes.
 */
function intoFolder(target: string): string[] {
  const names = target.split('/')
  const folders = names.map((_, index) => names.slice(0, index + 1).join('/'))
  const clear = `for folder in ${folders.join(' ')}; do [ ! -L $folder ] && { [ ! -e $folder ] || [ -d $folder ]; } || rm -f $folder; done`
  return ['/bin/sh', '-c', `${clear}; exec ${resticInside} "$@"`, 'restic']
}

/** A name as a pattern that fits nothing else. */
const asPattern = (path: string) => `/${path.replace(/[\\*?[\]{}!]/g, '\\$&')}`

/**
 * Writes files of a snapshot below a folder of the volume. What was written before by one that was cut off is passed by.
 * @param target '' = the volume itself: files that the snapshot does not have are deleted then, but for what was left out
 *   of it
 * @param paths null = all
 * @param verifies whether all files are read again afterwards, and compared with their checksums
 */
export async function restoreSnapshot(
  deps: ResticDeps,
  repository: Repository,
  {
    snapshot,
    target,
    paths,
    leavesOut = leftOutOfBackups,
    verifies = false,
    onProgress,
    signal,
  }: Watched & {
    snapshot: string
    target: string
    paths: readonly string[] | null
    leavesOut?: readonly string[]
    verifies?: boolean
  },
): Promise<void> {
  const inPlace = target === ''
  await runRestic(deps, repository, {
    ...(!inPlace && { command: intoFolder(target) }),
    args: [
      'restore',
      snapshot,
      '--json',
      '--target',
      inPlace ? volumeInside : `${volumeInside}/${target}`,
      '--overwrite',
      'if-changed',
      ...(inPlace ? ['--delete', ...leavesOut.flatMap((name) => ['--exclude', `/${name}`])] : []),
      ...(verifies ? ['--verify'] : []),
      ...(paths ?? []).flatMap((path) => ['--include', asPattern(path)]),
    ],
    writes: false,
    volume: 'write',
    memoryBytes: restoreMemoryBytes,
    onLine(text) {
      const line = parseLine(text)
      const progress = line && readProgress(line)
      if (progress !== undefined) onProgress?.(progress)
    },
    ...(signal && { signal }),
  })
}

/** Restores a snapshot into a folder of the host, and compares what was written with its checksums. */
export async function proveSnapshot(
  deps: ResticDeps,
  repository: Repository,
  { snapshot, folder, signal }: { snapshot: string; folder: string; signal?: AbortSignal },
): Promise<void> {
  await runRestic(deps, repository, {
    args: ['restore', snapshot, '--json', '--target', '/mnt/drill', '--verify'],
    writes: false,
    folders: { drill: { host: folder, write: true } },
    ...(signal && { signal }),
  })
}

/** Has the bytes of a file, or of a folder as an archive, written into a pipe of the folder. */
export async function pourSnapshot(
  deps: ResticDeps,
  repository: Repository,
  {
    snapshot,
    path,
    archive,
    folder,
    signal,
  }: { snapshot: string; path: string; archive: 'zip' | 'tar' | null; folder: string; signal?: AbortSignal },
): Promise<void> {
  await runRestic(deps, repository, {
    command: ['/bin/sh', '-c', 'exec /opt/wakestone/tools/restic "$@" >/mnt/out/pipe', 'restic'],
    args: ['dump', ...(archive === null ? [] : ['--archive', archive]), snapshot, `/${path}`],
    writes: false,
    folders: { out: { host: folder, write: true } },
    ...(signal && { signal }),
  })
}
