/** What servers used, over longer times than a page is open. */
import {
  type HistoryMarkKind,
  type HistorySpan,
  hoursOfPlayers,
  marksOfKind,
  spanSeconds,
  type StatsHistory,
} from '@wakestone/contract/servers/history'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { findEvents } from '#src/features/ground/events/service.ts'
import { selectComings } from '#src/features/servers/players/service.ts'
import { listServersOf } from '#src/features/servers/servers/service.ts'
import { dropSamples, rowsAtOnce, selectPlayersOfHours, selectPoints, selectSleeps } from './repo.ts'

export { createRecorder, type Recorder } from './recorder.ts'

const hour = 3_600_000
const minutesKept = 25 * hour
const hoursKept = 400 * 24 * hour
/** In seconds. In longer spans, marks of players would run into each other. */
const longestWithPlayers = 24 * 3600
/** Sleeps shorter than this part of a step are not drawn. */
const leastOfStep = 1 / 5

export async function showHistory(
  db: Handle,
  serverId: string,
  span: HistorySpan,
  now = new Date(),
): Promise<StatsHistory> {
  const { length, step } = spanSeconds[span]
  const from = new Date(Math.floor((now.getTime() / 1000 - length) / step) * step * 1000)
  const table = step < 3600 ? 'server_minutes' : 'server_hours'
  const points = await selectPoints(db, serverId, { from, step, table })
  const sleeps = (await selectSleeps(db, serverId, from))
    .map(({ since, until }) => ({ from: since, to: until ?? now }))
    .map((sleep) => ({ ...sleep, seconds: (sleep.to.getTime() - sleep.from.getTime()) / 1000 }))
  return {
    from: from.toISOString(),
    to: now.toISOString(),
    step_seconds: step,
    points: points.map((point) => ({ ...point, at: point.at.toISOString() })),
    sleeps: sleeps
      .filter(({ seconds }) => seconds >= step * leastOfStep)
      .map((sleep) => ({ from: sleep.from.toISOString(), to: sleep.to.toISOString() })),
    marks: await findMarks(db, serverId, { from, withPlayers: length <= longestWithPlayers }),
    slept_seconds: Math.max(0, Math.round(sleeps.reduce((sum, { seconds }) => sum + seconds, 0))),
  }
}

const toldBy = { GAME_STARTED: 'start', GAME_STOPPED: 'stop', GAME_CRASHED: 'crash' } as const

/** What happened to the game since then, and who joined and left, oldest first. */
async function findMarks(
  db: Handle,
  serverId: string,
  { from, withPlayers }: { from: Date; withPlayers: boolean },
): Promise<StatsHistory['marks']> {
  const told = (Object.keys(toldBy) as (keyof typeof toldBy)[]).map(async (action) => {
    const filter = { action: [action], fromDate: from.toISOString() }
    const events = await findEvents(db, { resourceId: serverId, filter, limit: marksOfKind })
    return events.map(({ created_at }) => ({ at: created_at, kind: toldBy[action] as HistoryMarkKind, player: null }))
  })
  const comings = withPlayers ? await selectComings(db, serverId, { from, most: marksOfKind }) : []
  const players = comings.map(({ at, name, came }) => ({
    at,
    kind: (came ? 'join' : 'leave') as HistoryMarkKind,
    player: name,
  }))
  return [...(await Promise.all(told)).flat(), ...players]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((mark) => ({ ...mark, at: mark.at.toISOString() }))
}

/** The most players in each of the last hours, for every server in a user's list. */
export async function showPlayersOfDay(
  context: Pick<Context, 'db' | 'settings'>,
  userId: string,
  { hidden, now = new Date() }: { hidden: boolean; now?: Date },
): Promise<{ server_id: string; players: (number | null)[] }[]> {
  const servers = await listServersOf(context, userId, { hidden })
  const first = (Math.floor(now.getTime() / hour) - hoursOfPlayers + 1) * hour
  const rows = await selectPlayersOfHours(
    context.db,
    servers.map(({ id }) => id),
    new Date(first),
  )
  return servers.map(({ id }) => {
    const players = Array.from<number | null>({ length: hoursOfPlayers }).fill(null)
    for (const { server_id, at, players_most } of rows)
      if (server_id === id) players[Math.floor((at.getTime() - first) / hour)] = players_most
    return { server_id: id, players: players.slice(0, hoursOfPlayers) }
  })
}

/** Removes what is older than is kept, in small pieces. */
export async function clearHistory({ db }: Pick<Context, 'db'>, now = Date.now()): Promise<void> {
  const kept = [
    { table: 'server_minutes', before: new Date(now - minutesKept) },
    { table: 'server_hours', before: new Date(now - hoursKept) },
  ] as const
  for (const { table, before } of kept)
    for (let last = rowsAtOnce; last === rowsAtOnce;) last = await dropSamples(db, table, before)
}
