/**
 * Operators and banned players, in Vanilla's files. The library forgets operators at every stop, and asks for bans
 * before it knows who it is that comes.
 */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Player, Squid } from './library.ts'

type Entry = { uuid: string; name: string; reason?: string; [more: string]: unknown }

export type PlayerLists = {
  /** @returns why the player is banned, or null */
  banOf(name: string): string | null
}

export function keepPlayerLists(serv: Squid): PlayerLists {
  const operators = openList('ops.json')
  const banned = openList('banned-players.json')
  const online = (name: string) => serv.players.find((player) => isNamed(player.username ?? '', name))

  serv.on('newPlayer', (player: Player) => {
    // The library sets `op` while the player comes in; `connected` follows it.
    player.once('connected', () => (player.op = operators.find(player.username ?? '') !== undefined))
  })

  const addCommand = (base: string, info: string, usage: string, run: (name: string, rest: string) => string) =>
    serv.commands.add({
      base,
      info,
      usage: `/${base} ${usage}`,
      op: true,
      parse: (text) => /^(\w{1,16})(?: (.+))?$/.exec(text.trim()) ?? false,
      action: ([, name, rest = '']: string[], { player }) => {
        const answer = run(online(name!)?.username ?? name!, rest)
        if (player) player.system(answer)
        else serv.info(answer)
      },
    })

  addCommand('op', 'Make a player operator', '<player>', (name) => {
    if (!operators.add({ name, level: 4, bypassesPlayerLimit: false })) {
      return 'Nothing changed. The player already is an operator'
    }
    setOperator(online(name), true)
    return `Made ${name} a server operator`
  })
  addCommand('deop', 'Take the rights of an operator', '<player>', (name) => {
    if (!operators.remove(name)) return 'Nothing changed. The player is not an operator'
    setOperator(online(name), false)
    return `Made ${name} no longer a server operator`
  })
  addCommand('ban', 'Ban a player', '<player> [reason]', (name, rest) => {
    const reason = rest === '' ? 'Banned by an operator.' : rest
    const created = new Date().toISOString()
    if (!banned.add({ name, created, source: 'Server', expires: 'forever', reason })) {
      return 'Nothing changed. The player is already banned'
    }
    online(name)?._client.end(`You are banned from this server.\nReason: ${reason}`)
    return `Banned ${name}: ${reason}`
  })
  addCommand('pardon', 'Lift the ban of a player', '<player>', (name) =>
    banned.remove(name) ? `Unbanned ${name}` : 'Nothing changed. The player is not banned',
  )

  return { banOf: (name) => banned.find(name)?.reason ?? null }
}

function setOperator(player: Player | undefined, op: boolean): void {
  if (player) player.op = op
}

const isNamed = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function openList(path: string) {
  let entries = readList(path)
  function write(): void {
    writeFileSync(`${path}.new`, `${JSON.stringify(entries, null, 2)}\n`)
    renameSync(`${path}.new`, path)
  }
  const find = (name: string) => entries.find((entry) => isNamed(entry.name, name))
  return {
    find,
    /** @returns false when the player is on the list already */
    add(entry: Omit<Entry, 'uuid'> & { name: string }): boolean {
      if (find(entry.name)) return false
      entries.push({ uuid: offlineUuid(entry.name), ...entry })
      write()
      return true
    },
    remove(name: string): boolean {
      const kept = entries.filter((entry) => !isNamed(entry.name, name))
      if (kept.length === entries.length) return false
      entries = kept
      write()
      return true
    },
  }
}

function readList(path: string): Entry[] {
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(list) ? list.filter((entry) => typeof entry?.name === 'string') : []
  } catch {
    return []
  }
}

/** The UUID that a server in offline mode gives a name. */
function offlineUuid(name: string): string {
  const bytes = createHash('md5').update(`OfflinePlayer:${name}`).digest()
  bytes[6] = (bytes[6]! & 0x0f) | 0x30
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
