/**
 * What a server does now, told from what it should be and what its supervisor has said of it.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import type { ServerStatus } from '@wakestone/contract/servers/server'
import { type GameStatus, panelState, type ServerActivity } from '@wakestone/contract/states'
import { isAsleep, type Level, type LevelCause } from '@wakestone/contract/servers/levels'
import { livePhases } from '@wakestone/protocol/phases'
import type { ServerRow } from './repo.ts'

type Condition = Pick<
  ServerRow,
  'want_running' | 'disabled' | 'owner_suspended' | 'bill_overdue' | 'cluster_draining' | 'expires' | 'hold'
>

export const isExpired = ({ expires }: Pick<ServerRow, 'expires'>) =>
  expires !== null && expires.getTime() <= Date.now()

/** @throws DomainError with the reason `withdrawn` where it has not just run out */
export function requirePaid(server: Pick<ServerRow, 'expires' | 'withdrawn_at'>): void {
  if (!isExpired(server)) return
  const isWithdrawn = server.withdrawn_at !== null
  throw new DomainError('server_is_expired', { resource: 'server', ...(isWithdrawn && { reason: 'withdrawn' }) })
}

/** Not to be started by anybody, whatever is wanted. */
export const isDisabled = (server: Pick<ServerRow, 'disabled' | 'owner_suspended' | 'bill_overdue'>) =>
  server.disabled || server.owner_suspended || server.bill_overdue

/** Whether nobody may start it: it is disabled, or its cluster is being emptied. */
export const isKeptDown = (
  server: Pick<ServerRow, 'disabled' | 'owner_suspended' | 'bill_overdue' | 'cluster_draining'>,
) => server.cluster_draining || isDisabled(server)

/** Whether the game should be up, all things considered. */
export const shouldRun = (server: Condition) =>
  server.want_running && server.hold === null && !isKeptDown(server) && !isExpired(server)

/** Whether it is to sleep: nobody needs it, and a join brings it back. */
export const isSleeping = (server: Condition & Pick<ServerRow, 'level' | 'prepared_at'>) =>
  server.prepared_at !== null && shouldRun(server) && isAsleep((server.level ?? 'IDLE') as Level)

/** Whether its workload has the memory, cores and storage that it should have. */
export function isPlacedAsWanted({ limits, placed_limits }: Pick<ServerRow, 'limits' | 'placed_limits'>): boolean {
  const [wanted, placed] = [limits, placed_limits] as (Limits | null)[]
  const isAlike = (['memory', 'cpu', 'storage', 'players'] as const).every((name) => wanted?.[name] === placed?.[name])
  return isAlike && (wanted?.mysql ?? 0) === (placed?.mysql ?? 0)
}
type Limits = Product['parameters']

/** Whether it is placed with less storage than it has by now. */
export function lacksStorage({ limits, placed_limits }: Pick<ServerRow, 'limits' | 'placed_limits'>): boolean {
  const placed = (placed_limits as Limits | null)?.storage
  return placed !== undefined && (limits as Limits).storage > placed
}
/** Whether it is reached at an address of its own: otherwise its ports are those of this machine. */
export const hasOwnNetwork = ({ game_host }: Pick<ServerRow, 'game_host'>) =>
  game_host !== null && !game_host.startsWith('127.') && game_host !== '::1'

/** Phases in which a game process lives or is about to. */
export const isLive = (phase: string | null) => (livePhases as readonly (string | null)[]).includes(phase)

function gameStatusOf(server: ServerRow): GameStatus {
  if (server.prepared_at === null) return 'IRL_NEW'
  if (server.phase === 'frozen') return 'IRL_LIGHT_SLEEP'
  // One that goes to sleep is asleep for all who ask; a frozen one that was lost sleeps on, as deep as it is by then.
  if (isSleeping(server) && server.phase !== 'running')
    return server.level === 'HIBERNATED' || isGoneWhole(server) ? 'IRL_HIBERNATED' : 'IRL_DEEP_SLEEP'
  if (!isLive(server.phase)) return 'IRL_TERMINATED'
  return server.phase === 'running' && server.players_online > 0 ? 'IRL_RUNNING' : 'IRL_IDLE'
}

/** Nothing of it is up, nor would it be back in a moment. */
const isGoneWhole = ({ placed_at, checkpointed_at }: ServerRow) => placed_at === null && checkpointed_at === null

function activityOf(server: ServerRow): ServerActivity | null {
  if (server.prepared_at === null) return server.preparation_error === null ? 'preparing' : null
  if (!shouldRun(server)) return isLive(server.phase) ? 'stopping' : null
  if (isSleeping(server)) return null
  if (server.restarts_wanted > server.restarts_done || server.phase === 'restarting') return 'restarting'
  if (server.phase === 'running') return null
  return server.woken_at === null ? 'starting' : 'waking'
}

/** Seconds that the next start will take, as the last ones did: the middle one. Null: there was none. */
export function expectedStart({ start_seconds }: Pick<ServerRow, 'start_seconds'>): number | null {
  return start_seconds.toSorted((one, other) => one - other)[start_seconds.length >> 1] ?? null
}

/** Seconds until one without a game has it back. Null: nobody knows. */
export const expectedWake = (server: Pick<ServerRow, 'checkpointed_at' | 'start_seconds'>): number | null =>
  server.checkpointed_at === null ? expectedStart(server) : fromDiskSeconds

/** What is on disk is read within that, unless there is a lot of it. */
const fromDiskSeconds = 3

/** The status as the contract shows it. */
export function describeStatus(server: ServerRow): ServerStatus {
  const live = isLive(server.phase)
  const limits = server.limits as { players: number | null }
  return {
    game_status: gameStatusOf(server),
    activity: activityOf(server),
    crashed: server.crashed,
    expired: isExpired(server),
    level:
      server.level === null
        ? null
        : {
            causes: server.level_causes as LevelCause[],
            since: server.level_since?.toISOString() ?? null,
            until: server.level_until?.toISOString() ?? null,
          },
    start_seconds: expectedWake(server),
    preparation: server.prepared_at !== null ? null : { error: server.preparation_error },
    pod_name: server.placed_at === null ? null : podNameOf(server.id),
    pod_image: server.pod_image,
    hypnos_version: server.supervisor_version,
    launched: server.launched_at?.toISOString() ?? null,
    terminated: live ? null : (server.exit_at?.toISOString() ?? null),
    termination_expected: live ? null : server.exit_expected,
    termination_code: live ? null : server.exit_code,
    players: { online: server.players_online, max: limits.players ?? server.players_max, names: server.player_names },
  }
}

export const podNameOf = (serverId: string) => `server-${serverId}`

export const panelStateOf = (server: ServerRow) => panelState(describeStatus(server))
