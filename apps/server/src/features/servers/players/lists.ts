/**
 * Changes of the game's lists: by a command while the game is up, else in its files. A game that is up keeps its lists in
 * memory and would write them over whatever stands in the files.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { Game } from '@wakestone/contract/servers/server'
import { banTime, changeList, type ListKey } from '@wakestone/minecraft/worlds/access-lists'
import { changeProperties, readProperties } from '@wakestone/minecraft/properties'
import { Readable } from 'node:stream'
import type { FilesClient } from '#src/adapters/files/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { filesOf, requireWritableFiles } from '#src/features/servers/files/service.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { commandOf, type PlayerOrder } from './commands.ts'
import { changedBy } from './describe.ts'
import { identify } from './identity.ts'
import { manage } from './manage.ts'
import { readPlayers } from './told.ts'

export type Deps = Pick<Context, 'db' | 'fleet' | 'settings'>
/** How long a game may take to write what it was told. */
const confirmMilliseconds = 4_000
const lookMilliseconds = 150
/** A game that has begun meanwhile may not read its console yet. */
const startingMilliseconds = 20_000
const triesOfAFile = 4

export type ListOrder = Exclude<PlayerOrder, { order: 'act' }>
/** What a file holds of it: for looking whether it says so, and for having it say so. */
type Record = {
  path: string
  says(text: string): boolean
  write(text: string): string
}

/** @returns whether the files say so; null where they never will */
export async function changeLists(
  deps: Deps,
  server: ServerRow,
  order: ListOrder,
  { until = null, level }: { until?: Date | null; level?: number | undefined } = {},
): Promise<boolean | null> {
  switch (changedBy(server)) {
    case null:
      throw new DomainError('server_is_not_stopped', { resource: 'server' })
    case 'commands': {
      await requireWritableFiles(deps.db, server)
      const isDone = await manage(deps, server, order, { until, level })
      if (isDone !== undefined) return isDone
      // No game has a command for another level than its own.
      if (level !== undefined) throw new DomainError('server_is_running', { resource: 'server' })
      await sendCommand(deps, server, order)
      return confirm(filesOf(deps, server), server.game as Game, order)
    }
    case 'files': {
      await requireWritableFiles(deps.db, server)
      await writeRecord(filesOf(deps, server), await recordOf(deps, server, order, { until, level }))
      // Nobody waits for that: the file says it already.
      void tellIfItCameUp(deps, server.id, order).catch(() => undefined)
      return true
    }
  }
}

/** @throws DomainError server_is_not_running, invalid_request */
export async function sendCommand(
  { fleet }: Pick<Deps, 'fleet'>,
  server: ServerRow,
  order: PlayerOrder,
): Promise<void> {
  let command: string
  try {
    command = commandOf(server.game as Game, order)
  } catch (error) {
    if (error instanceof RangeError) throw new DomainError('invalid_request', { name: 'no_player_name' })
    throw error
  }
  const supervisor = await fleet.find(server.id)
  if (supervisor === undefined) throw new DomainError('server_is_not_running', { resource: 'server' })
  await supervisor.command(command).catch((error: unknown) => {
    if (error instanceof SupervisorError && error.status === 409)
      throw new DomainError('server_is_not_running', { resource: 'server' })
    throw error
  })
}

/** It may have read its lists before they were written: it is told as well, which changes nothing if it has not. */
async function tellIfItCameUp(deps: Deps, serverId: string, order: ListOrder): Promise<void> {
  for (const deadline = Date.now() + startingMilliseconds; Date.now() < deadline; await delay(500)) {
    const server = await findServer(deps.db, serverId)
    if (server === undefined || changedBy(server) === 'files') return
    if (changedBy(server) === 'commands') return void (await sendCommand(deps, server, order).catch(() => undefined))
  }
}

async function confirm(files: FilesClient, game: Game, order: ListOrder): Promise<boolean | null> {
  const record = game === 'minecraft-bedrock' ? bedrockRecord(order, null) : javaRecord(order, null)
  if (record === null) return null
  // Bedrock's game changes its mind, and not its settings.
  if (game === 'minecraft-bedrock' && order.order === 'whitelist_state') {
    await writeRecord(files, record)
    return true
  }
  for (const deadline = Date.now() + confirmMilliseconds; ; await delay(lookMilliseconds)) {
    if (record.says((await files.text(record.path))?.text ?? '')) return true
    if (Date.now() > deadline) return false
  }
}

async function writeRecord(files: FilesClient, { path, write }: Record): Promise<void> {
  for (let left = triesOfAFile; ; left--) {
    const before = await files.text(path)
    const content = Buffer.from(write(before?.text ?? ''))
    const asked =
      before === undefined ? 'new' : before.revision === undefined ? undefined : { revision: before.revision }
    try {
      await files.write(path, { bytes: Readable.from([content]), length: content.length }, asked)
      return
    } catch (error) {
      const isLate =
        error instanceof DomainError &&
        (error.code === 'file_has_been_modified_since' || error.code === 'resource_already_exists')
      if (!isLate || left <= 1) throw error
    }
  }
}

type More = { until: Date | null; level: number | undefined }

async function recordOf(deps: Deps, server: ServerRow, order: ListOrder, more: More): Promise<Record> {
  const isBedrock = server.game === 'minecraft-bedrock'
  const needsId =
    order.order === 'ban' || order.order === 'op' || (order.order === 'whitelist' && order.action === 'add')
  if (isBedrock) {
    const told = await readPlayers(deps, server)
    const name = 'name' in order ? order.name.toLowerCase() : null
    const xuid = told.whitelist.find((one) => one.name.toLowerCase() === name)?.id ?? null
    const record = bedrockRecord(order, xuid)
    // Operators are known by numbers, which the game learns when somebody joins.
    if (record === null) throw new DomainError('player_not_foound', { resource: 'minecraft_profile' })
    return record
  }
  const who = needsId ? await identify(deps, await readPlayers(deps, server), order.name) : null
  const record = javaRecord(order, who, more)
  if (record === null) throw new DomainError('invalid_request', { name: 'no_player_name' })
  return record
}

const namesIn = (text: string, key: ListKey): string[] => {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map((entry) => String(entry?.[key] ?? '').toLowerCase()) : []
  } catch {
    return []
  }
}
const entry = (
  path: string,
  key: ListKey,
  value: string,
  put: globalThis.Record<string, unknown> | null,
  putKey = key,
): Record => ({
  path,
  says: (text) => namesIn(text, key).includes(value.toLowerCase()) === (put !== null),
  // One of another name may have had this account: its entry is replaced, and one of this name with another account goes.
  write: (text) =>
    put === null
      ? changeList(text, key, { remove: value })
      : changeList(putKey === key ? text : changeList(text, key, { remove: value }), putKey, { put }),
})
const property = (key: string, on: boolean): Record => ({
  path: 'server.properties',
  says: (text) => readProperties(text).get(key) === String(on),
  write: (text) => changeProperties(text, new Map([[key, String(on)]])),
})

/** @param who null: only looked for */
function javaRecord(
  order: ListOrder,
  who: { uuid: string; name: string } | null,
  { until, level }: More = { until: null, level: undefined },
): Record | null {
  const ban = (reason: string) => ({
    created: banTime(new Date()),
    source: 'Server',
    expires: until === null ? 'forever' : banTime(until),
    reason: reason === '' ? 'Banned by an operator.' : reason,
  })
  switch (order.order) {
    case 'whitelist':
      return entry('whitelist.json', 'name', order.name, order.action === 'add' ? { ...who } : null, 'uuid')
    case 'whitelist_state':
      return property('white-list', order.on)
    case 'ban':
      return entry('banned-players.json', 'name', order.name, { ...who, ...ban(order.reason) }, 'uuid')
    case 'pardon':
      return entry('banned-players.json', 'name', order.name, null)
    case 'ban_ip':
      return entry('banned-ips.json', 'ip', order.ip, { ip: order.ip, ...ban(order.reason) })
    case 'pardon_ip':
      return entry('banned-ips.json', 'ip', order.ip, null)
    case 'op':
      return entry('ops.json', 'name', order.name, { ...who, level: level ?? 4, bypassesPlayerLimit: false }, 'uuid')
    case 'deop':
      return entry('ops.json', 'name', order.name, null)
  }
}

function bedrockRecord(order: ListOrder, xuid: string | null): Record | null {
  switch (order.order) {
    case 'whitelist': {
      const put = { ignoresPlayerLimit: false, name: order.name }
      return entry('allowlist.json', 'name', order.name, order.action === 'add' ? put : null)
    }
    case 'whitelist_state':
      return property('allow-list', order.on)
    case 'op':
      return xuid === null ? null : entry('permissions.json', 'xuid', xuid, { permission: 'operator', xuid })
    case 'deop':
      return xuid === null ? null : entry('permissions.json', 'xuid', xuid, null)
    default:
      return null
  }
}
