/**
 * Folders of this machine that a task elsewhere works on: a copy goes there, and of one that it may write the outcome comes
 * back and takes its place in one step. So a task that is cut off has changed nothing. It costs the whole folder each time.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create, extract } from 'tar'
import { withLock } from '../process/lock.ts'
import type { Machine } from './machine.ts'

const PATIENCE_MS = 60 * 60_000
/** Of what comes back. */
const most = { bytes: 256 * 1024 ** 3, entries: 2_000_000 }

export type Brought = { id: string; take(): Promise<void>; drop(): Promise<void> }

const queues = new Map<string, Promise<unknown>>()

/** Tasks of this process that write a folder follow each other; those of other processes are refused meanwhile. */
export async function holdFolder<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const before = queues.get(folder) ?? Promise.resolve()
  const mine = before.then(() =>
    withLock(`${folder}.lock`, () => {
      recover(folder)
      for (const left of leftOf(folder)) rmSync(left, { recursive: true, force: true })
      return action()
    }),
  )
  const settled = mine.catch(() => undefined)
  queues.set(folder, settled)
  void settled.then(() => queues.get(folder) === settled && queues.delete(folder))
  return mine
}

/** Drafts, and what had its place, that a kill has left. */
function leftOf(folder: string): string[] {
  const [parent, name] = [dirname(folder), basename(folder)]
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .filter((one) => one.startsWith(`${name}.`) && /^\.[0-9a-f]{32}(\.old)?$/.test(one.slice(name.length)))
    .map((one) => join(parent, one))
}

/** Killed between two renames: what was there goes back to its place. */
export function recover(folder: string) {
  if (existsSync(folder)) return
  const old = leftOf(folder).find((left) => left.endsWith('.old'))
  if (old !== undefined) renameSync(old, folder)
}

/** Brings a copy of a folder, which is made where it is missing. */
export async function bringFolder(machine: Machine, folder: string): Promise<Brought> {
  const id = randomBytes(16).toString('hex')
  const path = `/v1/folders/${id}`
  recover(folder)
  mkdirSync(folder, { recursive: true })
  await machine.put(path, packFolder(folder))
  return {
    id,
    async take() {
      const response = await machine.stream('GET', path, { signal: AbortSignal.timeout(PATIENCE_MS) })
      await replaceFolder(folder, (draft) => unpackFolder(response, draft))
    },
    drop: () => machine.drop(path).catch(() => undefined), // the agent removes what is old
  }
}

/** What has become of a folder takes the place of what is here, in one step. */
export async function replaceFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.${randomBytes(16).toString('hex')}`
  mkdirSync(draft, { recursive: true, mode: 0o755 })
  try {
    await fill(draft)
    const old = `${draft}.old`
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(draft, folder)
    rmSync(old, { recursive: true, force: true })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Folders of this machine that a task works on, while nobody else does; made where they are missing. */
export async function holdFolders<T>(folders: readonly string[], action: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...folders].sort()
  return first === undefined ? action() : holdFolder(first, () => holdFolders(rest, action))
}

/** All files of a folder as a tar stream. */
export function packFolder(folder: string): Readable {
  const bytes = new PassThrough()
  const packed = create({ cwd: folder, portable: true, follow: false, filter: isPlain }, ['.'])
  packed.on('error', (error: unknown) => bytes.destroy(error as Error))
  packed.pipe(bytes)
  return bytes
}

/**
 * Files and folders only: nothing that leads elsewhere.
 * @param forAll lets users read it who have nothing of it: the boxes that it is shown to
 * @throws Error for what is too much
 */
export async function unpackFolder(bytes: Readable, folder: string, { forAll = false } = {}): Promise<void> {
  let count = 0
  await pipeline(
    bytes,
    upTo(most.bytes),
    extract({
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (_path, entry) => {
        if (++count > most.entries) throw new Error('the folder has too many files')
        if (forAll && 'type' in entry) entry.mode = (entry.mode ?? 0) | (entry.type === 'Directory' ? 0o755 : 0o644)
        return isPlain(_path, entry)
      },
    }),
  )
}

/** Passes bytes on, up to so many. */
export function upTo(mostBytes: number, each?: (chunk: Buffer) => void): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > mostBytes) return done(new Error('it is too large'))
      each?.(chunk)
      done(null, chunk)
    },
  })
}

type Entry = { type?: string; isFile?(): boolean; isDirectory?(): boolean }
const isPlain = (_path: string, entry: Entry) =>
  'isFile' in entry && entry.isFile !== undefined
    ? entry.isFile() || entry.isDirectory?.() === true
    : entry.type === 'File' || entry.type === 'OldFile' || entry.type === 'Directory'
