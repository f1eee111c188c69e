/**
 * Operators, banned players and addresses, and the whitelist, in Vanilla's files. The library forgets operators at every stop, and asks for bans
 * before it knows who it is that comes.
 */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readProperties, setProperty } from './properties.ts'
import type { Player, Squid } from './library.ts'

type Entry = { uuid?: string; name: string; ip?: string; reason?: string; expires?: string; [more: string]: unknown }
const SETTINGS = 'server.properties'

export type PlayerLists = {
  /** @returns why the player may not come in, or null */
  refusalOf(name: string, address: string | undefined): string | null
}

export function keepPlayerLists(serv: Squid): PlayerLists {
  const operators = openList('ops.json')
  const banned = openList('banned-players.json')
  const bannedAddresses = openList('banned-ips.json', 'ip')
  const allowed = openList('whitelist.json')
  let isClosed = readProperties(SETTINGS)['white-list'] === 'true'
  const online = (name: string) => serv.players.find((player) => isNamed(player.username ?? '', name))

  serv.on('newPlayer', (player: Player) => {
    // The library sets `op` while the player comes in; `connected` follows it.
    player.once('connected', () => (player.op = operators.find(player.username ?? '') !== undefined))
  })

  const addCommand = (
    base: string,
    info: string,
    usage: string,
    run: (name: string, rest: string) => string,
    form = /^(\w{1,16})(?: (.+))?$/,
  ) =>
    serv.commands.add({
      base,
      info,
      usage: `/${base} ${usage}`,
      op: true,
      parse: (text) => form.exec(text.trim()) ?? false,
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

  const address = /^([0-9a-fA-F.:]{2,45})(?: (.+))?$/
  addCommand(
    'ban-ip',
    'Ban an address',
    '<address> [reason]',
    (ip, rest) => {
      const reason = rest === '' ? 'Banned by an operator.' : rest
      const created = new Date().toISOString()
      if (!bannedAddresses.add({ ip, name: ip, created, source: 'Server', expires: 'forever', reason }))
        return 'Nothing changed. That address is already banned'
      for (const player of serv.players)
        if (player._client.socket?.remoteAddress === ip) player._client.end('You have been IP banned.')
      return `Banned IP ${ip}: ${reason}`
    },
    address,
  )
  addCommand(
    'pardon-ip',
    'Lift the ban of an address',
    '<address>',
    (ip) => (bannedAddresses.remove(ip) ? `Unbanned IP ${ip}` : 'Nothing changed. That address is not banned'),
    address,
  )
  addCommand('whitelist', 'Who may come in', '<on|off|add|remove> [player]', (action, name) => {
    if (action === 'on' || action === 'off') {
      isClosed = action === 'on'
      setProperty(SETTINGS, 'white-list', String(isClosed))
      return `Whitelist is now turned ${action}`
    }
    if (!/^\w{1,16}$/.test(name)) return 'Usage: /whitelist <on|off|add|remove> [player]'
    if (action === 'add') return allowed.add({ name }) ? `Added ${name} to the whitelist` : 'Nothing changed'
    return allowed.remove(name) ? `Removed ${name} from the whitelist` : 'Nothing changed'
  })

  const isOver = ({ expires }: Entry) => {
    const end = Date.parse(String(expires).replace(/^(\S+) (\S+) ([+-]\d\d)(\d\d)$/, '$1T$2$3:$4'))
    return end <= Date.now() // never where it is no time
  }
  return {
    refusalOf(name, from) {
      const ban = banned.find(name)
      if (ban && !isOver(ban)) return `You are banned from this server.\nReason: ${ban.reason}`
      const other = from === undefined ? undefined : bannedAddresses.find(from)
      if (other && !isOver(other)) return `Your IP address is banned from this server.\nReason: ${other.reason}`
      const isIn = allowed.find(name) !== undefined || operators.find(name) !== undefined
      return isClosed && !isIn ? 'You are not whitelisted on this server!' : null
    },
  }
}

function setOperator(player: Player | undefined, op: boolean): void {
  if (player) player.op = op
}

const isNamed = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function openList(path: string, key: 'name' | 'ip' = 'name') {
  let entries = readList(path, key)
  function write(): void {
    writeFileSync(`${path}.new`, `${JSON.stringify(entries, null, 2)}\n`)
    renameSync(`${path}.new`, path)
  }
  const find = (name: string) => entries.find((entry) => isNamed(String(entry[key]), name))
  return {
    find,
    /** @returns false when the player is on the list already */
    add(entry: Omit<Entry, 'uuid'> & { name: string }): boolean {
      if (find(String(entry[key]))) return false
      const { name: _, ...address } = entry
      entries.push((key === 'ip' ? address : { uuid: offlineUuid(entry.name), ...entry }) as Entry)
      write()
      return true
    },
    remove(name: string): boolean {
      const kept = entries.filter((entry) => !isNamed(String(entry[key]), name))
      if (kept.length === entries.length) return false
      entries = kept
      write()
      return true
    },
  }
}

function readList(path: string, key: 'name' | 'ip'): Entry[] {
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(list) ? list.filter((entry) => typeof entry?.[key] === 'string') : []
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
