/** Work on files of a server, and listings of them, done in boxes; see `box-work.ts`. */
import { resolve } from 'node:path'
import { leftOutOfBackups } from '@wakestone/contract/servers/backups'
import { DomainError } from '@wakestone/contract/errors'
import { z } from 'zod'
import type { Task } from '#src/adapters/clusters/cluster.ts'
import { parseLine } from './messages.ts'
import { type Repository, type ResticDeps, resticInside, runRestic } from './run.ts'

const program = resolve(import.meta.dirname, 'box-work.ts')
const tools = { 'box-work.ts': program }
const run = ['/opt/wakestone/bin/node', '--no-warnings', '/opt/wakestone/tools/box-work.ts']
const memoryBytes = 256 * 1024 ** 2
/** Exit status of `box-work.ts` for a restore folder that was changed; that program runs alone and can import nothing. */
const folderIsChanged = 3

/** Name, kind (file, folder, link, other), bytes, milliseconds since 1970. */
const entrySchema = z.tuple([z.string(), z.enum(['f', 'd', 'l', 'o']), z.number().min(0), z.number()])
const foldersSchema = z.object({ folders: z.array(z.tuple([z.string(), z.array(entrySchema)])) })
const endSchema = z.object({ count: z.number(), truncated: z.boolean() })
export type ListedEntry = z.infer<typeof entrySchema>
/** All that is in a tree, by folder; '' = its root. */
export type Listing = { folders: Map<string, ListedEntry[]>; truncated: boolean }

function createListing() {
  const folders = new Map<string, ListedEntry[]>()
  let truncated: boolean | undefined
  return {
    read(text: string) {
      const line = parseLine(text)
      for (const [folder, entries] of foldersSchema.safeParse(line).data?.folders ?? []) {
        const known = folders.get(folder)
        if (known === undefined) folders.set(folder, entries)
        else known.push(...entries)
      }
      truncated = endSchema.safeParse(line).data?.truncated ?? truncated
    },
    /** @throws Error unless it has been told to its end. */
    end(): Listing {
      if (truncated === undefined) throw new Error('a listing was cut off')
      return { folders, truncated }
    },
  }
}

/** What a snapshot holds. */
export async function listSnapshotFiles(
  deps: ResticDeps,
  repository: Repository,
  snapshot: string,
  signal?: AbortSignal,
): Promise<Listing> {
  const listing = createListing()
  await runRestic(deps, repository, {
    command: [...run, 'list-snapshot', resticInside],
    args: ['ls', '--json', snapshot],
    writes: false,
    tools,
    onLine: listing.read,
    ...(signal && { signal }),
  })
  return listing.end()
}

type Work = { serverId: string; signal?: AbortSignal | undefined }

async function doWork(
  { cluster }: Pick<ResticDeps, 'cluster'>,
  { serverId, signal }: Work,
  args: string[],
  { volume, onLine }: { volume: Task['volume']; onLine?: (text: string) => void },
): Promise<void> {
  signal?.throwIfAborted()
  const task = await cluster.runTask(serverId, {
    name: `files-${args[0]}`.slice(0, 20),
    command: [...run, ...args],
    volume,
    tools,
    network: 'none',
    memoryBytes,
  })
  const cancel = () => task.cancel()
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()
  let said = ''
  try {
    for await (const { stream, text } of task.lines) {
      if (stream === 'out') onLine?.(text)
      else said = `${said} ${text}`.slice(-1000)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  const { code, signal: ended } = await task.exit
  signal?.throwIfAborted()
  // The owner has changed the folder of the restore: retrying cannot help.
  if (code === folderIsChanged) throw new DomainError('service_unavailable')
  if (code !== 0) throw new Error(`${args[0]} in a volume: ${ended ?? `status ${code}`}:${said}`)
}

/** What the volume of a server holds, but for what backups leave out. */
export async function listVolume(deps: Pick<ResticDeps, 'cluster'>, work: Work): Promise<Listing> {
  const listing = createListing()
  await doWork(deps, work, ['list-volume', leftOutOfBackups.join(',')], { volume: 'read', onLine: listing.read })
  return listing.end()
}

/** Bytes that are free on the volume, or on the disk below it where it has no limit of its own. */
export async function findRoom(deps: Pick<ResticDeps, 'cluster'>, work: Work): Promise<number> {
  let room: number | undefined
  const onLine = (text: string) => void (room = z.object({ room: z.number() }).safeParse(parseLine(text)).data?.room)
  await doWork(deps, work, ['room'], { volume: 'read', onLine })
  if (room === undefined) throw new Error('the room on a volume was not told')
  return room
}

/** `paths`: null = everything, with what has no successor gone. */
type Replacement = { folder: string; paths: readonly string[] | null }

const argumentsOf = ({ folder, paths }: Replacement) => [folder, JSON.stringify({ paths, kept: leftOutOfBackups })]

/** Puts what was staged in a folder of the volume in its place, by renaming; what was there is kept in that folder. */
export const replaceFiles = (deps: Pick<ResticDeps, 'cluster'>, work: Work, replacement: Replacement): Promise<void> =>
  doWork(deps, work, ['replace', ...argumentsOf(replacement)], { volume: 'write' })

/** Undoes `replaceFiles`, however far it has come. */
export const putFilesBack = (deps: Pick<ResticDeps, 'cluster'>, work: Work, replacement: Replacement): Promise<void> =>
  doWork(deps, work, ['put-back', ...argumentsOf(replacement)], { volume: 'write' })

export const removeFolder = (deps: Pick<ResticDeps, 'cluster'>, work: Work, folder: string): Promise<void> =>
  doWork(deps, work, ['remove', folder], { volume: 'write' })
