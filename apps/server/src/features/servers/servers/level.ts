/** The level that a server should be at, from what the database knows of it and what its supervisor says now. */
import type { Product } from '@wakestone/contract/sales/product'
import {
  type AwakeReason,
  awakeReasons,
  type Decision,
  hasGame,
  type Level,
  type LevelCause,
  wantedLevel,
} from '@wakestone/contract/servers/levels'
import { type OwnSleep, soonerSleep } from '@wakestone/contract/servers/parameters'
import type { Settings } from '@wakestone/kit/settings'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { ServerRow } from './repo.ts'
import { isSleeping, shouldRun } from './status.ts'

/** What a supervisor tells that bears on sleep; a game that is not up tells nothing. */
export type Told = Pick<SupervisorStatus, 'phase' | 'players' | 'launchedAt' | 'emptySince'> & {
  awake?: readonly AwakeReason[] | undefined
}

export function decideLevel(
  server: ServerRow,
  { SLEEP_MINUTES_AFTER_START }: Pick<Settings, 'SLEEP_MINUTES_AFTER_START'>,
  told?: Told,
  now = new Date(),
): Decision {
  const isTold = told?.phase === 'running'
  const decision = decideFrom(server, isTold ? told : undefined, SLEEP_MINUTES_AFTER_START, now)
  // Without a game it sleeps on until somebody wakes it, also where its plan has other times by now.
  const hasNoGame = !isTold && isSleeping(server) && !hasGame[server.level as Level]
  if (!hasNoGame || !hasGame[decision.level] || decision.level === 'NEW') return decision
  return { level: server.level as Level, because: server.level_causes as LevelCause[], until: decision.until }
}

function decideFrom(server: ServerRow, told: Told | undefined, minutesAfterStart: number, now: Date): Decision {
  const awake = told ? (told.awake ?? []) : server.awake
  return wantedLevel(
    {
      isPrepared: server.prepared_at !== null,
      mayRun: shouldRun(server),
      players: told ? told.players.online : server.players_online,
      awake: awake.filter((name): name is AwakeReason => (awakeReasons as readonly string[]).includes(name)),
      emptySince: told ? dateOf(told.emptySince) : emptySinceOf(server),
      startedAt: told ? dateOf(told.launchedAt) : server.launched_at,
      pingUntil: server.ping_until,
      sessionEndsAt: server.session_ends_at,
      rule: soonerSleep((server.limits as Product['parameters']).sleep, server.own_sleep as OwnSleep | null),
      minutesAfterStart,
    },
    now,
  )
}

/**
 * A game that fell asleep right after its last player left may have ended before its supervisor told since when it was
 * empty: nobody has needed it since it sleeps.
 */
const emptySinceOf = (server: ServerRow): Date | null =>
  server.empty_since ?? (isSleeping(server) && !hasGame[server.level as Level] ? server.level_since : null)

const dateOf = (time: string | null | undefined) => (typeof time === 'string' ? new Date(time) : null)
