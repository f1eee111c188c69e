/**
 * The game's lists of whom it lets in and who may do what: `whitelist.json`, `ops.json`, `banned-players.json`,
 * `banned-ips.json`, `usercache.json`. They are written only while the game is down, which keeps its own copy else.
 */

export type NamedPlayer = { uuid: string; name: string }
export type Operator = NamedPlayer & { level: number; bypassesPlayerLimit: boolean }
export type Ban = {
  created: string
  source: string
  /** `forever`, or as `banTime` writes it. */
  expires: string
  reason: string
}
export type PlayerBan = NamedPlayer & Ban
export type AddressBan = { ip: string } & Ban

const MOST_ENTRIES = 10_000
const TEXT_LENGTH = 500
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Of Java's players; other programs let Bedrock's in with a dot or a star before them. */
const NAME = /^[\w.*-]{1,40}$/
const ADDRESS = /^[0-9a-f.:]{2,45}$/i

/** @returns what is well-formed; nothing where the file is none. */
export const readWhitelist = (json: string): NamedPlayer[] => entriesOf(json, playerOf)
export const readOperators = (json: string): Operator[] =>
  entriesOf(json, (entry) => {
    const player = playerOf(entry)
    const level = Number(entry['level'] ?? 4)
    if (player === undefined || !(level >= 1 && level <= 4)) return undefined
    return { ...player, level: Math.trunc(level), bypassesPlayerLimit: entry['bypassesPlayerLimit'] === true }
  })
export const readPlayerBans = (json: string): PlayerBan[] =>
  entriesOf(json, (entry) => {
    const player = playerOf(entry)
    return player && { ...player, ...banOf(entry) }
  })
export const readAddressBans = (json: string): AddressBan[] =>
  entriesOf(json, (entry) => {
    const ip = textOf(entry['ip'])
    return ADDRESS.test(ip) ? { ip, ...banOf(entry) } : undefined
  })

/** As the game writes its lists. */
export const writeList = (entries: readonly (NamedPlayer | AddressBan)[]) => `${JSON.stringify(entries, null, 2)}\n`

/** A time as bans say it: `2026-11-23 14:05:00 +0000`. */
export function banTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} +0000`
}

/** @returns undefined for one that never ends, and for what is no time. */
export function readBanTime(text: string): Date | undefined {
  const [, day, time, sign, hours, minutes] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-])(\d\d)(\d\d)$/.exec(text) ?? []
  if (day === undefined) return undefined
  const read = new Date(`${day}T${time}${sign}${hours}:${minutes}`)
  return Number.isNaN(read.getTime()) ? undefined : read
}

/** The UUID that a game which does not ask Mojang gives a name. */
export function offlineUuid(name: string, md5: (text: string) => Uint8Array): string {
  const hash = md5(`OfflinePlayer:${name}`).slice(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x30
  hash[8] = (hash[8]! & 0x3f) | 0x80
  return Buffer.from(hash)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function entriesOf<Entry>(json: string, read: (entry: Record<string, unknown>) => Entry | undefined): Entry[] {
  let list: unknown
  try {
    list = JSON.parse(json)
  } catch {
    return []
  }
  if (!Array.isArray(list)) return []
  const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null
  return list
    .slice(0, MOST_ENTRIES)
    .filter(isEntry)
    .flatMap((entry) => read(entry as Record<string, unknown>) ?? [])
}

function playerOf({ uuid, name }: Record<string, unknown>): NamedPlayer | undefined {
  if (typeof uuid !== 'string' || !UUID.test(uuid) || typeof name !== 'string' || !NAME.test(name)) return undefined
  return { uuid: uuid.toLowerCase(), name }
}

function banOf({ created, source, expires, reason }: Record<string, unknown>): Ban {
  return {
    created: textOf(created),
    source: textOf(source),
    expires: textOf(expires) || 'forever',
    reason: textOf(reason),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, TEXT_LENGTH).toWellFormed() : '')
