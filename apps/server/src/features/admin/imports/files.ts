/**
 * Files of servers that have come: from the folder of its volume, else out of its newest backup. They go the way that
 * uploads go, into the box beside the server, which keeps to its disk; a killed import goes on with what is missing.
 */
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Parser, type ReadEntry } from 'tar'
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import { FilesError } from '#src/adapters/files/errors.ts'
import type { FilesClient } from '#src/adapters/files/client.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import type { FoundServer } from './model.ts'
import type { Line } from './report.ts'
import { findBackup, findVolume, listVolume, openPlain, pathWithin, type SourceFile, TooMuch } from './source-files.ts'
import { insertBegun, type Work } from './work.ts'
import { writeItemState } from './repo.ts'

type Origin = { volume: string } | { backup: string; name: string }

const atOnce = 4
const lookMilliseconds = 1000
const mostEntries = 1_000_000

/** Brings the files of each server for which there are any. */
export async function bringFiles(work: Work, found: readonly FoundServer[]): Promise<void> {
  const { options } = work
  if (options.files === undefined) return
  const deadline = Date.now() + options.waitMinutes * 60_000
  for (const server of found) {
    const origin = await findOrigin(options.files, server)
    if (origin === undefined) continue
    const line = await bringFilesOf(work, server, { origin, deadline })
    work.lines.push(line)
    if (line.outcome === 'made' && !options.isDryRun) work.say(`files of ${server.name} are here`)
  }
}

async function findOrigin(folder: string, { uuid, backups }: FoundServer): Promise<Origin | undefined> {
  const volume = await findVolume(folder, uuid)
  if (volume !== undefined) return { volume }
  for (const { uuid: id, name } of backups) {
    const backup = await findBackup(folder, id)
    if (backup !== undefined) return { backup, name }
  }
  return undefined
}

async function bringFilesOf(
  work: Work,
  server: FoundServer,
  { origin, deadline }: { origin: Origin; deadline: number },
): Promise<Line> {
  const { context, options } = work
  const notes = 'backup' in origin ? [`out of its backup ${origin.name}`] : []
  const line = { kind: 'files', key: server.key, name: server.name, notes } as const
  const before = work.known('files', server.key)
  if (before?.state === 'made' || before?.state === 'kept')
    return { ...line, notes: [], outcome: 'unchanged', id: before.made }
  const here = work.known('server', server.key)
  if (here === undefined && options.isDryRun) {
    const wouldCome = work.lines.some(
      ({ kind, key, outcome }) => kind === 'server' && key === server.key && outcome === 'made',
    )
    return wouldCome
      ? { ...line, outcome: 'made' }
      : { ...line, outcome: 'left out', reason: 'its server did not come along' }
  }
  if (here === undefined || here.state === 'kept')
    return { ...line, outcome: 'left out', reason: 'its server did not come along' }
  if (options.isDryRun) return { ...line, outcome: 'made' }
  const placed = await untilPrepared(work, here.made, deadline)
  if (placed === undefined)
    return {
      ...line,
      outcome: 'waiting',
      reason: 'its server is still being prepared; run the import again',
      id: here.made,
    }
  if (placed.want_running) return { ...line, outcome: 'left out', reason: 'its owner has started it', id: here.made }
  const itemId = before?.id ?? (await insertBegun(work, { kind: 'files', key: server.key, made: placed.id }))
  try {
    const files = filesOf(context, placed)
    const copy = { files, isResumed: before !== undefined, limit: (placed.limits as Product['parameters']).storage }
    const skipped = 'volume' in origin ? await copyVolume(origin.volume, copy) : await copyBackup(origin.backup, copy)
    if (skipped > 0) line.notes.push(`${skipped} link${skipped === 1 ? '' : 's'} and names of ours left out`)
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof TooMuch || error instanceof FilesError)) throw error
    const reason = error instanceof DomainError ? `its server refuses them (${error.code})` : error.message
    return { ...line, outcome: 'waiting', reason: `${reason}; run the import again`, id: placed.id }
  }
  await writeItemState(context.db, itemId, 'made')
  return { ...line, outcome: 'made', id: placed.id }
}

/** Its files can be there once a worker has prepared it. */
async function untilPrepared(
  { context, say }: Work,
  serverId: string,
  deadline: number,
): Promise<ServerRow | undefined> {
  for (let isTold = false; ; await delay(lookMilliseconds)) {
    const server = await findServer(context.db, serverId)
    if (server === undefined) return undefined
    if (server.prepared_at !== null) return server
    if (Date.now() > deadline) return undefined
    if (!isTold) say(`waiting for ${server.name} to be prepared`)
    isTold = true
  }
}

type Copy = { files: FilesClient; isResumed: boolean; limit: number }

/** @returns how many entries were passed over. @throws TooMuch, DomainError */
async function copyVolume(root: string, copy: Copy): Promise<number> {
  const listing = await listVolume(root)
  if (listing.bytes > copy.limit)
    throw new TooMuch(`they take ${gibibytes(listing.bytes)}, and its disk is ${gibibytes(copy.limit)}`)
  for (const folder of listing.folders) await makeFolder(copy.files, folder)
  const queue = listing.files.values()
  const run = async () => {
    for (const file of queue) await copyFile(root, file, copy)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return listing.skipped
}

async function copyFile(root: string, file: SourceFile, copy: Copy): Promise<void> {
  if (copy.isResumed && (await isThere(copy.files, file))) return
  const handle = await openPlain(join(root, file.path))
  try {
    await put(copy.files, file, (from) =>
      handle.createReadStream({ start: from, end: file.size - 1, autoClose: false }),
    )
  } finally {
    await handle.close()
  }
}

/** Sends a file, from where it was left. */
async function put(files: FilesClient, file: SourceFile, read: (from: number) => Readable): Promise<void> {
  const { path, size, mtime } = file
  const upload = await files.createUpload({ path, size, mtime, overwrite: 'replace', fingerprint: 'import' })
  if (upload.path !== null) return
  const { offset } = upload
  const head = await files.append(upload.id, { bytes: read(offset), offset, length: size - offset })
  if (head.uploadPath === undefined) throw new FilesError('unreached', `not all of ${path} arrived`)
}

async function isThere(files: FilesClient, { path, size, mtime }: SourceFile): Promise<boolean> {
  try {
    const stat = await files.stat(path)
    return stat.type === 'file' && stat.size === size && Math.abs(stat.mtime - mtime) < 1000
  } catch (error) {
    if (error instanceof DomainError && error.code === 'file_does_not_exist') return false
    throw error
  }
}

async function makeFolder(files: FilesClient, path: string): Promise<void> {
  try {
    await files.makeFolder(path)
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'resource_already_exists')) throw error
  }
}

/** Lays out the files of a backup, as they come out of it. */
async function copyBackup(archive: string, copy: Copy): Promise<number> {
  const counts = { entries: 0, bytes: 0, skipped: 0 }
  const entries: ReadEntry[] = []
  const parser = new Parser({ onReadEntry: (entry: ReadEntry) => void entries.push(entry) })
  const handle = await openPlain(archive)
  const source = handle.createReadStream({ autoClose: false }).pipe(createGunzip())
  const chunks = source[Symbol.asyncIterator]()
  let isOver = false
  /** Has more of the archive read. */
  async function feed(): Promise<void> {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new TooMuch(`it cannot be unpacked: ${error instanceof Error ? error.message : 'damaged'}`)
    })
    isOver = done === true
    if (isOver) parser.end()
    else parser.write(value as Buffer)
  }
  try {
    while (entries.length > 0 || !isOver) {
      const entry = entries.shift()
      if (entry === undefined) await feed()
      else await takeEntry(entry, { copy, counts, bytes: () => contentOf(entry, () => (isOver ? undefined : feed())) })
    }
  } finally {
    source.destroy()
    await handle.close()
  }
  return counts.skipped
}

/** What an entry holds, while more of the archive is read as it is wanted: it is never all in memory. */
async function* contentOf(entry: ReadEntry, feed: () => Promise<void> | undefined): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = entry.read()
    if (chunk !== null) yield chunk as Buffer
    else if (entry.emittedEnd) return
    else if (entry.bufferLength === 0) {
      const more = feed()
      if (more === undefined) throw new TooMuch('it cannot be unpacked: it ends within a file')
      await more
    }
  }
}

type Taking = {
  copy: Copy
  counts: { entries: number; bytes: number; skipped: number }
  bytes: () => AsyncGenerator<Buffer>
}

async function takeEntry(entry: ReadEntry, { copy, counts, bytes }: Taking): Promise<void> {
  const path = pathWithin(entry.path)
  const isFile = entry.type === 'File' || entry.type === 'OldFile'
  if (++counts.entries > mostEntries) throw new TooMuch(`it has more than ${mostEntries} entries`)
  if (path === undefined || !isFile) {
    if (path !== undefined && entry.type === 'Directory') await makeFolder(copy.files, path)
    else if (entry.type !== 'Directory') counts.skipped++
    return void entry.resume()
  }
  counts.bytes += entry.size
  if (counts.bytes > copy.limit) throw new TooMuch(`it holds more than its disk of ${gibibytes(copy.limit)}`)
  const file = { path, size: entry.size, mtime: Math.max(0, entry.mtime?.getTime() ?? 0) }
  if (copy.isResumed && (await isThere(copy.files, file))) return void entry.resume()
  await put(copy.files, file, (from) => Readable.from(skip(bytes(), from)))
  entry.resume()
}

/** Without what has been sent before. */
async function* skip(chunks: AsyncGenerator<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

const gibibytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(2)} GiB`
