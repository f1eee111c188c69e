/** Players of a server: who is there, who came, whom it lets in, what they carry. */
import { DomainError } from '@wakestone/contract/errors'
import { canManagePlayers } from '@wakestone/contract/capabilities'
import {
  isPlayerName,
  type ListChange,
  type OperatorChange,
  type PlayerAction,
  type PlayerChange,
  type PlayerDetails,
  type playerHistoryQuery,
  type playerHistorySchema,
  playerLimits,
  type Players,
} from '@wakestone/contract/servers/players'
import type { Game } from '@wakestone/contract/servers/server'
import { nameLength } from '@wakestone/protocol/supervisor'
import type { z } from 'zod'
import { isPublicAddress } from '#src/adapters/outbound/public-address.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { filesOf, requireWritableFiles } from '#src/features/servers/files/service.ts'
import type { ServerResource, ServerRow } from '#src/features/servers/servers/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { changedBy, describePlayers } from './describe.ts'
import { offlineId } from './identity.ts'
import { changeLists, type Deps, type ListOrder, sendCommand } from './lists.ts'
import { isManaged, manage } from './manage.ts'
import * as repo from './repo.ts'
import { editionOf, readPlayers } from './told.ts'

export { dropSessionsBefore, findPlayed, selectComings, selectRegulars } from './repo.ts'

const visitorsTold = 2_000

/** Somebody has come in, as their server's supervisor tells. */
export async function notePlayerCame(
  trx: Transaction,
  serverId: string,
  { name, id, at }: { name: string; id?: string | undefined; at: string },
): Promise<void> {
  if (name !== '') await repo.insertSession(trx, serverId, { name: name.slice(0, nameLength), id, at })
}
/** Somebody has left; `name` null: all of them. */
export const notePlayerWent = (trx: Transaction, serverId: string, { name, at }: { name: string | null; at: string }) =>
  repo.endSessions(trx, serverId, name, at)
export const notePlayersLost = repo.endUnknownSessions

export async function showPlayers(deps: Deps, server: ServerResource, user: Principal): Promise<Players> {
  const [told, takesLevels, visitors, timedBans] = await Promise.all([
    readPlayers(deps, server),
    isManaged(deps, server),
    repo.selectVisitors(deps.db, server.id, visitorsTold),
    repo.selectTimedBans(deps.db, server.id),
  ])
  const seesAll = canManagePlayers(user.capabilities, server.capabilities)
  return describePlayers(server, told, { visitors, timedBans, takesLevels, seesAll })
}

type Session = PlayerDetails['sessions'][number]
const describeSession = ({ name, joined_at, left_at }: repo.SessionRow): Session => ({
  name,
  joined_at: joined_at.toISOString(),
  left_at: left_at?.toISOString() ?? null,
})

export async function showHistory(
  db: Handle,
  serverId: string,
  { span, time_zone }: z.output<typeof playerHistoryQuery>,
): Promise<z.input<typeof playerHistorySchema>> {
  const points = await repo.selectHistory(db, serverId, { span, timeZone: time_zone })
  const sessions = await repo.selectSessions(db, serverId, { most: playerLimits.sessionsTold })
  return {
    points: points.map((point) => ({ ...point, at: point.at.toISOString() })),
    sessions: sessions.map(describeSession),
  }
}

/** Of Java's players; what Bedrock keeps of them is in a database of the world that is not read here. */
export async function showPlayer(deps: Deps, server: ServerRow, id: string): Promise<PlayerDetails> {
  const files = filesOf(deps, server)
  const file =
    editionOf(server) === 'bedrock'
      ? undefined
      : await files.player(id).catch((error: unknown) => {
          if (error instanceof DomainError && error.code === 'file_does_not_exist') return undefined
          throw error
        })
  const names = await namesOf(deps, server, id)
  const sessions = await repo.selectSessions(deps.db, server.id, {
    names: names.map((name) => name.toLowerCase()),
    id,
    most: playerLimits.sessionsTold,
  })
  if (file === undefined) return { data: null, sessions: sessions.map(describeSession) }
  const { gameMode, enderChest, inventory, revision, position, dimension, health, food, level, spawn } = file
  return {
    data: {
      revision,
      position,
      dimension,
      health,
      food,
      level,
      spawn,
      inventory,
      game_mode: gameMode,
      ender_chest: enderChest,
    },
    sessions: sessions.map(describeSession),
  }
}

/** Names that an account has had here. */
async function namesOf(deps: Deps, server: ServerRow, id: string): Promise<string[]> {
  const told = await readPlayers(deps, server)
  const listed = [...told.known, ...told.whitelist, ...told.operators, ...told.bans].filter((one) => one.id === id)
  const visited = await repo.selectNamesOf(deps.db, server.id, id)
  const made =
    told.onlineMode || editionOf(server) === 'bedrock'
      ? []
      : (await repo.selectVisitors(deps.db, server.id, visitorsTold))
          .map(({ name }) => name)
          .filter((name) => offlineId(name) === id)
  return [...new Set([...listed.flatMap(({ name }) => name ?? []), ...visited, ...made])].slice(0, 20)
}

type By = { server: ServerRow; userId: string }

/**
 * Player files are read when somebody joins, so that they can be changed while nobody is there: down, and also frozen,
 * which a game is only when it is empty.
 */
export async function changePlayer(
  deps: Deps,
  { server, userId }: By,
  id: string,
  { revision, game_mode, ...changes }: PlayerChange,
): Promise<{ revision: string }> {
  await begin(deps, { server, userId })
  requireEmpty(server, ['frozen'])
  const all = { ...changes, ...(game_mode !== undefined && { gameMode: game_mode }) }
  const written = await filesOf(deps, server).changePlayer(id, revision, all)
  const [player] = await namesOf(deps, server, id)
  await note(deps, { server, userId }, 'SERVER_PLAYER_EDIT', player)
  return { revision: written.revision }
}

async function begin(deps: Deps, { server, userId }: By): Promise<void> {
  await requireWithinLimit(deps, 'players', { userId })
  await requireWritableFiles(deps.db, server)
}

/** @throws DomainError server_is_running, server_is_not_stopped */
function requireEmpty(server: ServerRow, also: readonly string[] = []): void {
  if (also.includes(server.phase ?? '')) return
  const how = changedBy(server)
  if (how === 'files') return
  throw new DomainError(how === null ? 'server_is_not_stopped' : 'server_is_running', { resource: 'server' })
}

function requireName({ game }: Pick<ServerRow, 'game'>, name: string): void {
  if (!isPlayerName(game as Game, name)) throw new DomainError('invalid_request', { name: 'no_player_name' })
}

export async function changeList(
  deps: Deps,
  { server, userId }: By,
  change: ListChange,
): Promise<{ confirmed: boolean | null }> {
  await begin(deps, { server, userId })
  const order = orderOf(server, change)
  const until = 'until' in change && change.until !== null ? new Date(change.until) : null
  if (until !== null && until.getTime() <= Date.now()) throw new DomainError('invalid_request', { until: 'past' })
  const confirmed = await changeLists(deps, server, order, { until })
  await keepEnd(deps.db, server.id, order, until)
  await note(deps, { server, userId }, listEvents[change.list], 'name' in change ? change.name : undefined)
  return { confirmed }
}

const listEvents = {
  whitelist: 'SERVER_PLAYER_LIST',
  whitelist_state: 'SERVER_PLAYER_LIST',
  bans: 'SERVER_PLAYER_BAN',
  pardons: 'SERVER_PLAYER_PARDON',
  address_bans: 'SERVER_PLAYER_BAN',
  address_pardons: 'SERVER_PLAYER_PARDON',
} as const satisfies Record<ListChange['list'], PlayerEvent>

function orderOf(server: ServerRow, change: ListChange): ListOrder {
  const isBedrock = editionOf(server) === 'bedrock'
  if ('name' in change) requireName(server, change.name)
  if (isBedrock && !change.list.startsWith('whitelist')) throw new DomainError('invalid_request', { list: 'bedrock' })
  switch (change.list) {
    case 'whitelist':
      return { order: 'whitelist', action: change.action, name: change.name }
    case 'whitelist_state':
      return { order: 'whitelist_state', on: change.on }
    case 'bans':
      return { order: 'ban', name: change.name, reason: change.reason }
    case 'pardons':
      return { order: 'pardon', name: change.name }
    case 'address_bans':
      // Everybody comes from the address of the players' door, which is one of ours: this would lock all out.
      if (!isPublicAddress(change.ip)) throw new DomainError('invalid_request', { ip: 'not_public' })
      return { order: 'ban_ip', ip: change.ip, reason: change.reason }
    case 'address_pardons':
      return { order: 'pardon_ip', ip: change.ip }
  }
}

async function keepEnd(db: Handle, serverId: string, order: ListOrder, until: Date | null): Promise<void> {
  if (order.order === 'ban' || order.order === 'pardon')
    await repo.writeTimedBan(db, { serverId, kind: 'player', target: order.name, until })
  if (order.order === 'ban_ip' || order.order === 'pardon_ip')
    await repo.writeTimedBan(db, { serverId, kind: 'address', target: order.ip, until })
}

export async function changeOperators(
  deps: Deps,
  { server, userId }: By,
  change: OperatorChange,
): Promise<{ confirmed: boolean | null }> {
  await begin(deps, { server, userId })
  requireName(server, change.name)
  const isAdded = change.action === 'add'
  const confirmed = await changeLists(
    deps,
    server,
    { order: isAdded ? 'op' : 'deop', name: change.name },
    { level: isAdded ? change.level : undefined },
  )
  await note(deps, { server, userId }, 'SERVER_PLAYER_OPERATOR', change.name)
  return { confirmed }
}

/** @throws DomainError server_is_not_running; player_not_foound for one who is not on */
export async function actOnPlayer(deps: Deps, { server, userId }: By, action: PlayerAction): Promise<void> {
  await requireWithinLimit(deps, 'players', { userId })
  requireName(server, action.name)
  if (action.action === 'teleport' && 'name' in action.to) requireName(server, action.to.name)
  if (server.phase !== 'running') throw new DomainError('server_is_not_running', { resource: 'server' })
  const isOn = server.player_names.some((name) => name.toLowerCase() === action.name.toLowerCase())
  if (!isOn) throw new DomainError('player_not_foound', { resource: 'minecraft_profile' })
  const order = { order: 'act', ...action } as const
  if ((await manage(deps, server, order)) === undefined) await sendCommand(deps, server, order)
  await note(deps, { server, userId }, 'SERVER_PLAYER_ACTION', action.name, {
    what: action.action,
    ...(action.action === 'kick' && action.reason !== undefined && action.reason !== '' && { reason: action.reason }),
  })
}

export async function forgetPlayer(
  deps: Deps,
  { server, userId }: By,
  { id, name }: { id: string | null; name: string | null },
): Promise<void> {
  await begin(deps, { server, userId })
  requireEmpty(server) // a game that is up remembers them, and writes them down again
  const names = new Set(name === null ? [] : [name])
  if (id !== null) for (const one of await namesOf(deps, server, id)) names.add(one)
  const who = id ?? (await onlyIdOf(deps, server, name!))
  await filesOf(deps, server).forgetPlayer(who, [...names])
  await inTransaction(deps.db, async (trx) => {
    await repo.deletePlayer(trx, server.id, { names: [...names].map((one) => one.toLowerCase()), id: who })
    await recordServerEvent(trx, server.id, { action: 'SERVER_PLAYER_FORGET', data: { executor: userId } })
  })
}

async function onlyIdOf(deps: Deps, server: ServerRow, name: string): Promise<string | null> {
  const told = await readPlayers(deps, server)
  const listed = [...told.known, ...told.whitelist].find((one) => one.name?.toLowerCase() === name.toLowerCase())
  if (listed?.id != null) return listed.id
  return editionOf(server) === 'java' && !told.onlineMode ? offlineId(name) : null
}

type PlayerEvent = `SERVER_PLAYER_${'BAN' | 'PARDON' | 'LIST' | 'OPERATOR' | 'ACTION' | 'EDIT'}`

async function note(
  { db }: Pick<Deps, 'db'>,
  { server, userId }: By,
  action: PlayerEvent,
  player: string | undefined,
  more: { what?: PlayerAction['action']; reason?: string } = {},
): Promise<void> {
  const data = { executor: userId, ...(player !== undefined && { player }), ...more }
  await inTransaction(db, (trx) => recordServerEvent(trx, server.id, { action, data }))
}
