/** The process that reads one file as a tree: descriptor 3 is the file, 4 the folder in which it lies. */
import { fstatSync, readFileSync } from 'node:fs'
import { type NbtTag, readNbt } from '@wakestone/minecraft/nbt'
import { readNbtFile } from '@wakestone/minecraft/nbt-file'
import { parseRegionName } from '@wakestone/minecraft/region'
import { openRegion } from '@wakestone/minecraft/region-file'
import { treeDepth, treeNodes, treeRows, treeText } from '@wakestone/protocol/file-values'
import type { Tree, TreeNode } from '@wakestone/protocol/files'

export type TreeOrder = {
  kind: 'nbt' | 'region' | 'sqlite'
  name: string
  /** `x,z` within the region. */
  chunk: string | null
  table: string | null
  /** First row. */
  from: number
}

const FILE = '/proc/self/fd/3'
const MOST_NBT_BYTES = 32 * 1024 * 1024
const LIMITS = { depth: treeDepth, tags: 500_000 }
const ARRAY_SHOWN = 256

/** Ends with 2 where what was asked for is not in it. */
export async function readAsTree(order: TreeOrder): Promise<void> {
  const tree =
    order.kind === 'sqlite' ? await readDatabase(order) : order.kind === 'region' ? readRegion(order) : readFile()
  if (tree === undefined) process.exit(2)
  process.stdout.write(JSON.stringify(tree))
}

function readFile(): Tree {
  if (fstatSync(3).size > MOST_NBT_BYTES) throw new Error('too large')
  const { name, tag, edition, compression } = readNbtFile(readFileSync(3), { maxBytes: MOST_NBT_BYTES, limits: LIMITS })
  return { kind: 'nbt', edition, compression, ...nodesOf(name, tag) }
}

function readRegion({ name, chunk }: TreeOrder): Tree | undefined {
  using region = openRegion(`/proc/self/fd/4/${name}`, parseRegionName(name) ?? { x: 0, z: 0 })
  const { chunks, damaged } = region
  const placeOf = (index: number) => ({ x: index & 31, z: index >> 5 })
  if (chunk === null) {
    const told = chunks.map(({ index, room, timestamp }) => ({
      ...placeOf(index),
      bytes: room,
      writtenAt: timestamp * 1000,
    }))
    return { kind: 'region', chunks: told, damaged: damaged.map(placeOf) }
  }
  const place = chunks.find(({ index }) => `${index & 31},${index >> 5}` === chunk)
  if (!place) return undefined
  const { name: root, tag } = readNbt(region.readChunk(place, MOST_NBT_BYTES), { limits: LIMITS })
  return { kind: 'nbt', edition: 'java', compression: 'none', ...nodesOf(root, tag) }
}

/** As many as may be told; what is left out is counted. */
function nodesOf(name: string, root: NbtTag): { root: TreeNode; truncated: boolean } {
  let left = treeNodes
  let truncated = false
  const cut = (text: string) => {
    if (text.length > treeText) truncated = true
    return text.slice(0, treeText).toWellFormed()
  }
  function some<T, R>(list: Iterable<T>, size: number, tell: (value: T) => R): R[] {
    const told: R[] = []
    for (const value of list) {
      if (left <= 0) break
      told.push(tell(value))
    }
    if (told.length < size) truncated = true
    return told
  }
  function node(at: string, tag: NbtTag): TreeNode {
    left--
    const of = { name: cut(at), type: tag.type }
    switch (tag.type) {
      case 'compound':
        return {
          ...of,
          size: tag.value.size,
          nodes: some(tag.value, tag.value.size, ([key, inner]) => node(key, inner)),
        }
      case 'list':
        return { ...of, size: tag.value.length, nodes: some(tag.value, tag.value.length, (inner) => node('', inner)) }
      case 'byteArray':
      case 'intArray':
      case 'longArray': {
        const shown = Array.from(tag.value.subarray(0, ARRAY_SHOWN), String)
        left -= shown.length / 8
        return { ...of, size: tag.value.length, value: shown.join(' ') }
      }
      default:
        return { ...of, value: cut(String(tag.value)) }
    }
  }
  return { root: node(name, root), truncated }
}

/** Nothing is written, not even a lock: what the game has not merged into the file yet is not seen. */
async function readDatabase({ table, from }: TreeOrder): Promise<Tree | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  using database = new DatabaseSync(new URL(`file://${FILE}?mode=ro&immutable=1`), {
    readOnly: true,
    allowExtension: false,
  })
  // Nothing that the file defines is run.
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -8000')
  const listed = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'create virtual%' ORDER BY name LIMIT 1000`,
    )
    .all()
  const names = listed.map(({ name }) => String(name))
  if (table === null)
    return {
      kind: 'tables',
      tables: names.map((name) => ({ name: name.slice(0, treeText).toWellFormed(), rows: countOf(name) })),
    }
  if (!names.includes(table)) return undefined
  const statement = database.prepare(`SELECT * FROM ${quoted(table)} LIMIT ? OFFSET ?`)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name.slice(0, treeText).toWellFormed())
  const rows = statement.all(treeRows, from) as unknown as unknown[][]
  return { kind: 'rows', table, columns, rows: rows.map((row) => row.map(cellOf)), from, total: countOf(table) }

  function countOf(name: string): number {
    return Number(database.prepare(`SELECT count(*) AS rows FROM ${quoted(name)}`).get()?.['rows'] ?? 0)
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function cellOf(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `<${value.length} bytes>`
  return String(value).slice(0, treeText).toWellFormed()
}
