/**
 * Changes of the game's lists by its management protocol, where it has one (Minecraft 1.21.9 and later): it answers with
 * what the list is then, takes levels of operators while it is up, and ends bans by itself.
 */
import { DomainError } from '@wakestone/contract/errors'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import type { PlayerOrder } from './commands.ts'

type More = { until?: Date | null; level?: number | undefined }
type Call = {
  method: string
  params: unknown[]
  /** Whether the answer says that it is done. */ isDone: (answer: unknown) => boolean
}

/** @returns what it answers to an order; undefined where only the console can do it */
export function callOf(order: PlayerOrder, { until = null, level }: More = {}): Call | undefined {
  const list = (method: string, entries: unknown[], isDone: Call['isDone']): Call => ({
    method,
    params: [entries],
    isDone,
  })
  const ban = (reason: string) => ({
    reason: reason === '' ? 'Banned by an operator.' : reason,
    source: 'Server',
    ...(until !== null && { expires: until.toISOString() }),
  })
  switch (order.order) {
    case 'whitelist': {
      const isAdded = order.action === 'add'
      return list(`allowlist/${order.action}`, [{ name: order.name }], (told) => holds(told, order.name) === isAdded)
    }
    case 'whitelist_state':
      return {
        method: 'serversettings/use_allowlist/set',
        params: [order.on],
        isDone: (told) => told === order.on,
      }
    case 'ban':
      return list('bans/add', [{ player: { name: order.name }, ...ban(order.reason) }], (told) =>
        holds(told, order.name),
      )
    case 'pardon':
      return list('bans/remove', [{ name: order.name }], (told) => !holds(told, order.name))
    case 'ban_ip':
      return list('ip_bans/add', [{ ip: order.ip, ...ban(order.reason) }], (told) => holds(told, order.ip))
    case 'pardon_ip':
      return list('ip_bans/remove', [order.ip], (told) => !holds(told, order.ip))
    case 'op': {
      const operator = { player: { name: order.name }, bypassesPlayerLimit: false }
      return list('operators/add', [{ ...operator, ...(level !== undefined && { permissionLevel: level }) }], (told) =>
        holds(told, order.name),
      )
    }
    case 'deop':
      return list('operators/remove', [{ name: order.name }], (told) => !holds(told, order.name))
    case 'act':
      if (order.action !== 'kick') return undefined
      return {
        method: 'players/kick',
        params: [
          [{ player: { name: order.name }, ...(order.reason !== '' && { message: { literal: order.reason } }) }],
        ],
        isDone: () => true,
      }
  }
}

/** Whether a list that the game tells has somebody, or an address: of that name in any letters. */
function holds(told: unknown, wanted: string): boolean {
  if (!Array.isArray(told)) return false
  return told.some((entry: { name?: unknown; ip?: unknown; player?: { name?: unknown } } | null) =>
    [entry?.name, entry?.player?.name, entry?.ip].some(
      (name) => typeof name === 'string' && name.toLowerCase() === wanted.toLowerCase(),
    ),
  )
}

/**
 * @returns whether the game says that it is done; undefined where its console has to do it
 * @throws DomainError for what the game refuses
 */
export async function manage(
  { fleet }: Pick<Context, 'fleet'>,
  server: ServerRow,
  order: PlayerOrder,
  more: More = {},
): Promise<boolean | undefined> {
  const call = server.game === 'minecraft-java' && server.phase === 'running' ? callOf(order, more) : undefined
  if (call === undefined) return undefined
  const supervisor = await fleet.find(server.id)
  try {
    const answer = await supervisor?.manage(call.method, call.params)
    return answer && call.isDone(answer.result)
  } catch (error) {
    if (error instanceof SupervisorError && error.status === 422)
      throw new DomainError('player_not_foound', { resource: 'minecraft_profile' })
    if (error instanceof SupervisorError) return undefined
    throw error
  }
}

/** Whether a game can be managed now. */
export async function isManaged({ fleet }: Pick<Context, 'fleet'>, server: ServerRow): Promise<boolean> {
  if (server.game !== 'minecraft-java' || server.phase !== 'running') return false
  const status = await fleet
    .find(server.id)
    .then((supervisor) => supervisor?.status())
    .catch((error: unknown) => {
      if (error instanceof SupervisorError) return undefined
      throw error
    })
  return status?.managed === true
}
