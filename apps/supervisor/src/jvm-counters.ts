/**
 * The heap of a Java game and the time that collecting its garbage takes, from the counters that every Java keeps in a
 * file (`hsperfdata`): nothing is asked of the game for it.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

export type JvmCounters = { heapUsed: number; heapMax: number; gcTime: number }

/** Such files have 32 kB; the game may have made another of its own. */
const MAX_BYTES = 256 * 1024
const MAGIC = 0xcafec0c0
const LITTLE_ENDIAN = 1
const LONG = 'J'.charCodeAt(0)

/** Reads those of the process; null when it is no Java, or its counters cannot be read. */
export function readJvmCounters(pid: number, folder = '/tmp'): JvmCounters | null {
  for (const data of readFiles(pid, folder)) {
    const counters = data && sumCounters(parseCounters(data))
    if (counters) return counters
  }
  return null
}

/** Of every user: the game is another one than we are, and its number inside its own namespace is not ours. */
function* readFiles(pid: number, folder: string): Generator<Buffer | undefined> {
  let users: string[]
  try {
    users = readdirSync(folder).filter((name) => name.startsWith('hsperfdata_'))
  } catch {
    return
  }
  for (const user of users.slice(0, 10)) yield readBounded(join(folder, user, String(pid)))
}

function readBounded(path: string): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = fstatSync(file)
    if (!facts.isFile() || facts.size > MAX_BYTES) return undefined
    const data = Buffer.alloc(facts.size)
    return data.subarray(0, readSync(file, data, 0, facts.size, 0))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Names and values of the counters that are long integers; empty when this is no such file. Version 2 of the format. */
export function parseCounters(data: Buffer): Map<string, number> {
  const counters = new Map<string, number>()
  if (data.length < 32 || data.readUInt32BE(0) !== MAGIC || data[4] !== LITTLE_ENDIAN) return counters
  const count = Math.min(data.readInt32LE(28), 10_000)
  let at = data.readInt32LE(24)
  for (let index = 0; index < count; index++) {
    if (at < 0 || at + 20 > data.length) break
    const length = data.readInt32LE(at)
    const nameAt = at + data.readInt32LE(at + 4)
    const valueAt = at + data.readInt32LE(at + 16)
    const isNumber = data[at + 12] === LONG && data.readInt32LE(at + 8) === 0
    if (isNumber && nameAt > at && nameAt < data.length && valueAt > at && valueAt + 8 <= data.length) {
      const end = data.indexOf(0, nameAt)
      const name = data.toString('latin1', nameAt, Math.min(end === -1 ? data.length : end, nameAt + 200))
      counters.set(name, Number(data.readBigInt64LE(valueAt)))
    }
    if (length < 20) break
    at += length
  }
  return counters
}

/** Undefined for counters of something that has no heap. */
export function sumCounters(counters: ReadonlyMap<string, number>): JvmCounters | undefined {
  let heapUsed = 0
  const most: number[] = []
  let ticks = 0
  const perSecond = counters.get('sun.os.hrt.frequency') ?? 0
  for (const [name, value] of counters) {
    if (/^sun\.gc\.generation\.\d+\.space\.\d+\.used$/.test(name)) heapUsed += value
    else if (/^sun\.gc\.generation\.\d+\.maxCapacity$/.test(name)) most.push(value)
    else if (/^sun\.gc\.collector\.\d+\.time$/.test(name)) ticks += value
  }
  // Where collectors move the border between generations, each of them may grow to all of the heap, but for a few bytes.
  const largest = Math.max(0, ...most)
  const isShared = most.length > 1 && largest - Math.min(...most) < 4096
  const heapMax = isShared ? largest : most.reduce((sum, value) => sum + value, 0)
  if (heapMax <= 0 || heapUsed < 0) return undefined
  return { heapUsed, heapMax: Math.max(heapMax, heapUsed), gcTime: perSecond > 0 ? Math.max(0, ticks) / perSecond : 0 }
}
