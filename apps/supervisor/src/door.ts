/** Whom a game lets in, by the files that it keeps of that itself. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Door } from '@wakestone/protocol/supervisor'
import { doorEntriesKept } from '@wakestone/protocol/values'

/** Larger files say nothing: they are no list that people keep. */
const MAX_BYTES = 1024 * 1024
const FILES = ['server.properties', 'whitelist.json', 'banned-players.json', 'banned-ips.json', 'ops.json'] as const
type File = (typeof FILES)[number]

/** Looks at the files anew; undefined when none of them has changed since the last time, and no ban has run out. */
export function createDoorReader(volume: string): (now?: number) => Door | undefined {
  let stamps = ''
  let readAgainAt = Infinity
  let known = ''
  return (now = Date.now()) => {
    const next = FILES.map((name) => stampOf(join(volume, name))).join()
    if (next === stamps && now < readAgainAt) return undefined
    stamps = next
    const { door, until } = readDoor((name) => readBounded(join(volume, name)), now)
    readAgainAt = until
    const text = JSON.stringify(door)
    if (text === known) return undefined
    known = text
    return door
  }
}

/** @returns `until`: when the first ban of these runs out */
export function readDoor(read: (name: File) => string | undefined, now: number): { door: Door; until: number } {
  const properties = read('server.properties') ?? ''
  const isOn = /^[ \t]*white-list[ \t]*[=:][ \t]*true[ \t]*$/m.test(properties)
  const players = readEntries(read('banned-players.json'))
  const addresses = readEntries(read('banned-ips.json'))
  const ends = [...players, ...addresses].map(endOf).filter((end) => end > now)
  const holds = (entry: Entry) => endOf(entry) > now
  return {
    door: {
      // Operators come in however it stands.
      whitelist: isOn
        ? textsOf([...readEntries(read('whitelist.json')), ...readEntries(read('ops.json'))], 'name', 40)
        : null,
      banned: textsOf(players.filter(holds), 'name', 40),
      bannedAddresses: textsOf(addresses.filter(holds), 'ip', 45),
    },
    until: Math.min(Infinity, ...ends),
  }
}

type Entry = Record<string, unknown>

function readEntries(text: string | undefined): Entry[] {
  if (text === undefined) return []
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return []
    return list
      .slice(0, 10 * doorEntriesKept)
      .filter((entry): entry is Entry => typeof entry === 'object' && entry !== null)
  } catch {
    return [] // being written, or damaged: the game knows no more of it either
  }
}

/** When a ban runs out; never, where it does not say. */
function endOf({ expires }: Entry): number {
  const match = typeof expires === 'string' && /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(expires)
  if (!match) return Infinity
  const end = Date.parse(`${match[1]}T${match[2]}${match[3]}:${match[4]}`)
  return Number.isNaN(end) ? Infinity : end
}

function textsOf(entries: Entry[], field: 'name' | 'ip', length: number): string[] {
  const texts = entries
    .map((entry) => entry[field])
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '' && value.length <= length)
  return [...new Set(texts.map((value) => value.toLowerCase()))].slice(0, doorEntriesKept)
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0, ino: 0 }
  return `${ino}:${size}:${mtimeMs}`
}

/** A link would lead elsewhere, and a pipe would never be opened. */
function readBounded(path: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = fstatSync(file)
    return facts.isFile() && facts.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
