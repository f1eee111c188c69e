/**
 * NBT, region files and SQLite databases as trees to look at. Whoever runs a game can make such a file do harm to what reads
 * it, so that is a process of its own, with little memory and time.
 */
import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { treeBytes } from '@wakestone/protocol/file-values'
import { FileError } from './errors.ts'
import { startTool } from './tool.ts'
import { openFolderIn, openPlainFile, type Volume } from './volume.ts'
import type { TreeOrder } from './tree-reader.ts'

const LONGEST_MS = 15_000
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']
const MAGIC = 'SQLite format 3\0'
const REGION = /^r\.(-?\d{1,8})\.(-?\d{1,8})\.mca$/

export type TreeQuery = { path: string; chunk: string | null; table: string | null; from: number }

/** @returns a `Tree` as JSON @throws FileError invalid_file, file_is_too_large */
export async function readTree(volume: Volume, query: TreeQuery): Promise<string> {
  using place = volume.find(query.path, 'read', { followLast: true })
  const { fd } = openPlainFile(place.at)
  try {
    const head = Buffer.alloc(MAGIC.length)
    readSync(fd, head, 0, head.length, 0)
    const kind = head.toString('latin1') === MAGIC ? 'sqlite' : REGION.test(place.name) ? 'region' : 'nbt'
    const order: TreeOrder = { kind, name: place.name, chunk: query.chunk, table: query.table, from: query.from }
    using folder = openFolderIn(place.folder, '.')
    return await run(order, [fd, folder.fd])
  } finally {
    closeSync(fd)
  }
}

async function run(order: TreeOrder, fds: number[]): Promise<string> {
  // Of the bundle, which is one file, or of the sources.
  const program = import.meta.filename.endsWith('.mjs') ? import.meta.filename : join(import.meta.dirname, 'main.ts')
  const signal = AbortSignal.timeout(LONGEST_MS)
  const parameters = [...NODE_FLAGS, program, '--tree', JSON.stringify(order)]
  const { out, ended, end } = startTool(process.execPath, parameters, { fds, signal, nice: 10 })
  let text = ''
  for await (const chunk of out.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length <= treeBytes) continue
    end()
    throw new FileError('file_is_too_large', { limit: treeBytes })
  }
  const { code } = await ended
  if (code === 2) throw new FileError('file_does_not_exist')
  if (code !== 0) throw new FileError('invalid_file', { reason: signal.aborted ? 'time' : 'damaged' })
  return text
}
