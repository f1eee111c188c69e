/** What servers used, over longer times than a page is open. */
import { type HistorySpan, spanSeconds, type StatsHistory } from '@wakestone/contract/servers/history'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { dropSamples, rowsAtOnce, selectPoints, selectSleeps } from './repo.ts'

export { createRecorder, type Recorder } from './recorder.ts'

const hour = 3_600_000
const minutesKept = 25 * hour
const hoursKept = 400 * 24 * hour
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
    slept_seconds: Math.max(0, Math.round(sleeps.reduce((sum, { seconds }) => sum + seconds, 0))),
  }
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
