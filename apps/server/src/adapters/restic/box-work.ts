/**
 * Runs in a box, as the game's user, with a server's volume as its folder: what has to be done with files there, since
 * nobody outside follows paths in a volume. Alone in its box, so it takes nothing but Node.
 *
 *   list-snapshot RESTIC ARGUMENTS…   every folder and what it holds, of a snapshot
 *   list-volume SKIPPED,…                   the same of the volume
 *   room                                    bytes that are free
 *   replace FOLDER PLAN                     puts what lies in FOLDER/staged in its place; what was there goes to FOLDER/before
 *   put-back FOLDER PLAN                    undoes that
 *   remove FOLDER
 *
 * What is asked for twice is done once: each may be killed anywhere. Errors are told by the status.
 */
import { spawn } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, rename, rm, statfs, writeFile, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** Entries of a listing: more are only counted. */
const mostEntries = 300_000
/** Lines are cut at 64 KiB of text. */
const lineCharacters = 20_000

type Entry = [name: string, type: 'f' | 'd' | 'l' | 'o', size: number, modified: number]

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** Tells entries in few lines, those of a folder together as far as they come together. */
function createTeller() {
  let count = 0
  let folders = new Map<string, Entry[]>()
  let length = 0
  function flush() {
    if (folders.size > 0) say({ folders: [...folders] })
    folders = new Map()
    length = 0
  }
  return {
    tell(parent: string, entry: Entry) {
      if (++count > mostEntries) return
      const entries = folders.get(parent)
      if (entries === undefined) folders.set(parent, [entry])
      else entries.push(entry)
      length += entry[0].length + 40 + (entries === undefined ? parent.length : 0)
      if (length > lineCharacters) flush()
    },
    end() {
      flush()
      say({ count, truncated: count > mostEntries })
    },
  }
}

const kinds: Record<string, Entry[1]> = { file: 'f', dir: 'd', symlink: 'l' }
const parentOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

async function listSnapshot([program = '', ...args]: string[]) {
  const restic = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number>((resolve) => restic.once('close', (code) => resolve(code ?? 1)))
  const teller = createTeller()
  for await (const line of createInterface({ input: restic.stdout })) {
    const node = JSON.parse(line) as { path?: string; name?: string; type?: string; size?: number; mtime?: string }
    if (node.path === undefined || node.name === undefined) continue
    const path = node.path.replace(/^\/+/, '')
    teller.tell(parentOf(path), [
      node.name,
      kinds[node.type ?? ''] ?? 'o',
      node.size ?? 0,
      Math.floor(Date.parse(node.mtime ?? '') || 0),
    ])
  }
  const code = await ended
  if (code !== 0) process.exit(code)
  teller.end()
}

async function listVolume(skipped: string[]) {
  const teller = createTeller()
  async function walk(folder: string) {
    const names = await readdir(folder === '' ? '.' : folder).catch(() => []) // gone meanwhile
    for (const name of names.sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (skipped.includes(path)) continue
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined) continue
      const type = found.isFile() ? 'f' : found.isDirectory() ? 'd' : found.isSymbolicLink() ? 'l' : 'o'
      teller.tell(folder, [name, type, type === 'f' ? found.size : 0, Math.floor(found.mtimeMs)])
      if (type === 'd') await walk(path)
    }
  }
  await walk('')
  teller.end()
}

/** Exit status when the owner has changed the folder of the restore: retrying cannot help. */
const folderIsChanged = 3

function endAsChanged(what: string): never {
  console.error(`${what} was changed`)
  process.exit(folderIsChanged)
}

/** Where things are put, written before anything is moved. */
type Move = { path: string; isStaged: boolean }
/** `null` = everything but what is kept. */
type Plan = { paths: string[] | null; kept: string[] }

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Whether these moves belong to the plan. The owner can write to the volume, so the file may have been changed. */
function isOf({ paths, kept }: Plan, moves: unknown): moves is Move[] {
  if (!Array.isArray(moves)) return false
  return moves.every((move: Partial<Move> | null) => {
    if (typeof move?.path !== 'string' || typeof move.isStaged !== 'boolean') return false
    if (paths !== null) return paths.includes(move.path)
    return !move.path.includes('/') && !['', '.', '..', ...kept].includes(move.path)
  })
}

/** @returns undefined if nothing has been moved yet, null if the file was rewritten */
async function readMoves(folder: string, plan: Plan): Promise<Move[] | null | undefined> {
  const text = await readFile(join(folder, 'moves.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const moves: unknown = JSON.parse(text)
    return isOf(plan, moves) ? moves : null
  } catch {
    return null
  }
}

/** Each path has a name of its own in `before`: its number. */
const beforeOf = (folder: string, index: number) => join(folder, 'before', String(index))

async function findMoves(folder: string, plan: Plan): Promise<Move[]> {
  const known = await readMoves(folder, plan)
  if (known === null) endAsChanged('moves.json')
  if (known !== undefined) return known
  const { paths, kept } = plan
  const staged = join(folder, 'staged')
  const names =
    paths ?? [...new Set([...(await readdir('.')), ...(await readdir(staged))])].filter((name) => !kept.includes(name))
  const moves = await Promise.all(names.map(async (path) => ({ path, isStaged: await exists(join(staged, path)) })))
  await writeDurably(join(folder, 'moves.json'), JSON.stringify(moves))
  return moves
}

async function writeDurably(file: string, text: string) {
  const draft = `${file}.new`
  await writeFile(draft, text)
  const handle = await open(draft, 'r+')
  await handle.sync()
  await handle.close()
  await rename(draft, file)
}

async function replace(folder: string, plan: Plan) {
  const swappedOut = join(folder, 'before')
  await mkdir(swappedOut, { recursive: true }).catch(async (error) => {
    if (await exists(swappedOut)) endAsChanged('before')
    throw error
  })
  const moves = await findMoves(folder, plan)
  for (const [index, { path, isStaged }] of moves.entries()) {
    const before = beforeOf(folder, index)
    const staged = join(folder, 'staged', path)
    const waits = isStaged && (await exists(staged))
    // Done already, but for what has come since into the place of something that was to go.
    if (isStaged && !waits) continue
    if (!(await exists(before)) && (await exists(path))) await rename(path, before)
    if (waits) {
      await mkdir(dirname(path), { recursive: true })
      await rename(staged, path)
    }
  }
}

async function putBack(folder: string, plan: Plan) {
  // If the owner rewrote the moves, nothing is put back: only their own files are at stake.
  const moves = (await readMoves(folder, plan)) ?? []
  for (const [index, { path, isStaged }] of moves.entries()) {
    const before = beforeOf(folder, index)
    const staged = join(folder, 'staged', path)
    const wasReplaced = isStaged && !(await exists(staged))
    if (wasReplaced && (await exists(path))) {
      await mkdir(dirname(staged), { recursive: true })
      await rename(path, staged)
    }
    if (!(await exists(before))) continue
    // What came meanwhile into the place of something that was to go.
    await rm(path, { recursive: true, force: true })
    await rename(before, path)
  }
}

/** Folders of the volume that nobody may write to can be emptied nevertheless: they are ours. */
async function remove(folder: string) {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    // The game has put something else in the place of a folder above: there is nothing of ours any more.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
  }
  const parent = dirname(folder)
  if (
    (await readdir(parent)
      .catch(() => [''])
      .then((names) => names.length)) === 0
  )
    await rm(parent, { recursive: true })
}

const [work = '', ...args] = process.argv.slice(2)
switch (work) {
  case 'list-snapshot':
    await listSnapshot(args)
    break
  case 'list-volume':
    await listVolume((args[0] ?? '').split(','))
    break
  case 'room': {
    const { bavail, bsize } = await statfs('.')
    say({ room: bavail * bsize })
    break
  }
  case 'replace':
    await replace(args[0] ?? '', JSON.parse(args[1] ?? '') as Plan)
    break
  case 'put-back':
    await putBack(args[0] ?? '', JSON.parse(args[1] ?? '') as Plan)
    break
  case 'remove':
    await remove(args[0] ?? '')
    break
  default:
    process.exit(2)
}
