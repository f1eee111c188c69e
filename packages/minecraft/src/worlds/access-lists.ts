/**
 * The game's lists of whom it lets in and who may do what: `whitelist.json`, `ops.json`, `banned-players.json`,
 * `banned-ips.json`, `usercache.json`; of Bedrock Edition `allowlist.json` and `permissions.json`. They are written only
 * while the game is down, which keeps its own copy else.
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
const BEDROCK_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _#'-]*$/u
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

/** Of Bedrock: names, and the number of an Xbox account once the game has seen it. */
export type AllowedPlayer = { name: string; xuid: string | null; ignoresPlayerLimit: boolean }
export const bedrockPermissions = ['visitor', 'member', 'operator'] as const
export type BedrockPermission = { xuid: string; permission: (typeof bedrockPermissions)[number] }

export const readAllowlist = (json: string): AllowedPlayer[] =>
  entriesOf(json, ({ name, xuid, ignoresPlayerLimit }) => {
    if (typeof name !== 'string' || name.length > 40 || !BEDROCK_NAME.test(name)) return undefined
    return { name, xuid: xuidOf(xuid), ignoresPlayerLimit: ignoresPlayerLimit === true }
  })
export const readPermissions = (json: string): BedrockPermission[] =>
  entriesOf(json, ({ xuid, permission }) => {
    const [id, level] = [xuidOf(xuid), bedrockPermissions.find((one) => one === permission)]
    return id === null || level === undefined ? undefined : { xuid: id, permission: level }
  })

type Listed = Readonly<Record<string, unknown>>
/** An entry is known by one of these, whatever the case of its letters. */
export type ListKey = 'name' | 'uuid' | 'ip' | 'xuid'

/**
 * The text of a list with an entry put in (in the place of one of the same key) or taken out. What else stands in it stays,
 * also what is not known here. A file that is no list is begun anew.
 */
export function changeList(json: string, key: ListKey, change: { put: Listed } | { remove: string }): string {
  const wanted = 'put' in change ? change.put[key] : change.remove
  const isIt = (entry: unknown) =>
    typeof entry === 'object' && entry !== null && sameKey((entry as Listed)[key], wanted)
  const list = parseList(json)
  const at = list.findIndex(isIt)
  const others = list.filter((entry) => !isIt(entry))
  if ('put' in change) others.splice(at < 0 ? others.length : at, 0, { ...(list[at] as Listed), ...change.put })
  return `${JSON.stringify(others, null, 2)}\n`
}

const sameKey = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase()

function parseList(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

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
  const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null
  return parseList(json)
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

const xuidOf = (value: unknown) => (typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : null)
const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, TEXT_LENGTH).toWellFormed() : '')
