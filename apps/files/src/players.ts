/** What a game keeps of its players: told, changed and forgotten. Their files are read by a process of its own. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { WrittenFile } from '@wakestone/protocol/files'
import { changeList, type ListKey } from '@wakestone/minecraft/worlds/access-lists'
import { revisionBytes, treeBytes } from '@wakestone/protocol/file-values'
import { type Body, invalid } from './body.ts'
import { revisionOf } from './describe.ts'
import { errnoOf, FileError } from './errors.ts'
import { lookAt } from './placing.ts'
import { allPaths, dataPaths, readSettings, UUID, worldIn } from './player-paths.ts'
import type { PlayersOrder } from './players-reader.ts'
import { doom, removeDoomed } from './remove.ts'
import { dropRevisions } from './revisions.ts'
import type { Space } from './space.ts'
import { startTool } from './tool.ts'
import type { Volume } from './volume.ts'
import { readWhole, writeBytesAt } from './write.ts'

const LONGEST_MS = 15_000
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']
/** Lists that name players, and how each of them does. */
const LISTS: readonly [path: string, keys: readonly ListKey[]][] = [
  ['whitelist.json', ['uuid', 'name']],
  ['ops.json', ['uuid', 'name']],
  ['banned-players.json', ['uuid', 'name']],
  ['usercache.json', ['uuid', 'name']],
  ['allowlist.json', ['xuid', 'name']],
  ['permissions.json', ['xuid']],
]

/** Readers that run at once; others wait for their turn. */
const MOST_READERS = 2
let running = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MOST_READERS) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    // Whoever comes next takes over the place.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

type Parts = { volume: Volume; space: Space }

/** @returns `Players` as JSON */
export async function readPlayers({ root }: Volume, edition: string | null): Promise<string> {
  if (edition !== 'java' && edition !== 'bedrock') throw invalid('edition')
  return (await run({ kind: 'players', root, edition })).toString()
}

/** @returns `PlayerFile` as JSON */
export async function readPlayer(volume: Volume, id: string): Promise<string> {
  const { fd, revision } = openPlayer(volume, id)
  try {
    return JSON.stringify({ ...JSON.parse((await run({ kind: 'player' }, [fd])).toString()), revision })
  } finally {
    closeSync(fd)
  }
}

/** @throws FileError file_has_been_modified_since, invalid_request for what the file cannot hold */
export async function changePlayer(parts: Parts, body: Body): Promise<WrittenFile> {
  const { id, revision, changes } = body
  if (typeof id !== 'string' || typeof revision !== 'string') throw invalid('id')
  if (typeof changes !== 'object' || changes === null) throw invalid('changes')
  const found = openPlayer(parts.volume, id)
  try {
    if (found.revision !== revision) throw new FileError('file_has_been_modified_since', { revision: found.revision })
    // One that is too long to be kept could not be brought back.
    if (found.size > revisionBytes) throw new FileError('file_is_too_large', { limit: revisionBytes })
    const content = await run({ kind: 'change', changes }, [found.fd])
    return await writeBytesAt(parts, found.path, content, { revision })
  } finally {
    closeSync(found.fd)
  }
}

/** Nothing of it can be brought back: no trash, no revision. */
export async function forgetPlayer(parts: Parts, body: Body): Promise<void> {
  const { id, names } = body
  if (!(id === null || (typeof id === 'string' && /^[0-9a-f-]{1,36}$/.test(id)))) throw invalid('id')
  if (!Array.isArray(names) || names.length > 20 || !names.every((name) => typeof name === 'string'))
    throw invalid('names')
  const { volume } = parts
  if (id !== null && UUID.test(id)) await removeFiles(volume, allPaths(worldIn(readSettings(volume)), id))
  for (const [path, keys] of LISTS) {
    const before = readWhole(volume, path)
    if (before === undefined) continue
    let after = before.text
    for (const key of keys)
      for (const value of key === 'name' ? names : id === null ? [] : [id])
        after = changeList(after, key, { remove: value })
    if (isSameList(before.text, after)) continue
    await writeBytesAt(parts, path, Buffer.from(after), { revision: before.revision })
    // What it was before names them still.
    await dropRevisions(volume, before.path)
  }
}

function isSameList(before: string, after: string): boolean {
  try {
    return JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after))
  } catch {
    return true // no list: nobody is in it
  }
}

async function removeFiles(volume: Volume, paths: string[]): Promise<void> {
  for (const path of paths) {
    try {
      using place = volume.find(path, 'write')
      await dropRevisions(volume, place.path)
      if (lookAt(place.folder, place.name)) await removeDoomed(volume, doom(volume, place.folder, place.name))
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR' && !isMissing(error)) throw error
    }
  }
}

const isMissing = (error: unknown) => error instanceof FileError && error.code === 'file_does_not_exist'

function openPlayer(volume: Volume, id: string) {
  if (!UUID.test(id)) throw invalid('id')
  for (const path of dataPaths(worldIn(readSettings(volume)), id)) {
    try {
      const { fd, stats, path: found } = volume.openFile(path)
      return { fd, path: found, revision: revisionOf(stats), size: Number(stats.size) }
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' && !isMissing(error)) throw error
    }
  }
  throw new FileError('file_does_not_exist')
}

function run(order: PlayersOrder, fds: number[] = []): Promise<Buffer> {
  return inTurn(() => runReader(order, fds))
}

async function runReader(order: PlayersOrder, fds: number[]): Promise<Buffer> {
  // Of the bundle, which is one file, or of the sources.
  const program = import.meta.filename.endsWith('.mjs') ? import.meta.filename : join(import.meta.dirname, 'main.ts')
  const signal = AbortSignal.timeout(LONGEST_MS)
  const parameters = [...NODE_FLAGS, program, '--players', JSON.stringify(order)]
  const { out, ended, end } = startTool(process.execPath, parameters, { fds, signal, nice: 10 })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of out as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= treeBytes) continue
    end()
    throw new FileError('file_is_too_large', { limit: treeBytes })
  }
  const { code } = await ended
  if (code === 2) throw invalid('changes')
  if (code !== 0) throw new FileError('invalid_file', { reason: signal.aborted ? 'time' : 'damaged' })
  return Buffer.concat(chunks)
}
