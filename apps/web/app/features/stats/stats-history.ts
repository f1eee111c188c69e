/** Ten minutes of statistics at one per second, in columns ready to be drawn. */
import type { HistoryMetric, HistoryPoint, StatsHistory as History } from '@wakestone/contract/servers/history'
import type { Stats } from '@wakestone/contract/servers/stream'

export const STATS_KEPT = 600

/** What is drawn. Times in seconds since 1970, memory and disk in bytes, network in bytes per second, cpu in cores. */
export const statNames = ['cpu', 'memory', 'tps', 'disk', 'networkIn', 'networkOut', 'players'] as const
export type StatName = (typeof statNames)[number]

const metrics: Record<StatName, HistoryMetric> = {
  cpu: 'cpu',
  memory: 'memory',
  tps: 'tps',
  disk: 'disk',
  networkIn: 'network_in',
  networkOut: 'network_out',
  players: 'players',
}

/** Averages of the time before, one per step, and when the game started and ended. */
type Past = Pick<History, 'step_seconds' | 'points' | 'marks'>

export type StatsHistory = {
  /** Adds a sample; one that is not newer than the newest is ignored. A silence of over 5 s becomes a hole in the line. */
  add: (stats: Stats) => boolean
  /** Puts earlier samples before the first live one; does nothing without one. */
  prepend: (past: Past) => void
  latest: () => Stats | null
  times: () => readonly number[]
  /** `null` = unknown at that time. */
  column: (name: StatName) => readonly (number | null)[]
}

const HOLE_AFTER_MS = 5000
/** By this long after its end, a minute has been written to the history. */
const LATE_SECONDS = 15

/** Makes an empty history of `capacity` samples. */
export function createStatsHistory(capacity: number = STATS_KEPT): StatsHistory {
  const times: number[] = []
  const columns = Object.fromEntries(statNames.map((name) => [name, [] as (number | null)[]])) as Record<
    StatName,
    (number | null)[]
  >
  let latest: Stats | null = null

  const push = (time: number, valueOf: (name: StatName) => number | null) => {
    times.push(time / 1000)
    for (const name of statNames) columns[name].push(valueOf(name))
    if (times.length <= capacity) return
    times.shift()
    for (const name of statNames) columns[name].shift()
  }
  return {
    add: (stats) => {
      if (latest !== null && stats.time <= latest.time) return false
      if (latest !== null && stats.time - latest.time > HOLE_AFTER_MS) push(latest.time + 1000, () => null)
      push(stats.time, (name) => stats[name])
      latest = stats
      return true
    },
    prepend: ({ step_seconds: step, points, marks }) => {
      const [first, newest] = [times[0], times.at(-1)]
      if (first === undefined || newest === undefined) return
      const from = Math.max(first - (capacity - times.length), newest - capacity)
      const known = points.map((point) => ({ ...point, since: Date.parse(point.at) / 1000 }))
      const past: { time: number; isDown: boolean; point: HistoryPoint | undefined }[] = []
      for (let time = first - 1; time >= from; time--) {
        const isDown = wasDown(marks, time)
        const point = isDown ? undefined : known.find(({ since }) => since <= time && time < since + step)
        past.unshift({ time, isDown, point })
      }
      const oldest = past.findIndex(({ point }) => point !== undefined)
      const ended = past.findLastIndex(({ point }) => point !== undefined) + 1
      // The current minute isn’t in the history until it is over, so the line bridges it.
      const isUnderWay = past.length - ended < step + LATE_SECONDS && !past.slice(ended).some(({ isDown }) => isDown)
      const kept = oldest === -1 ? [] : past.slice(oldest, isUnderWay ? ended : undefined)
      times.unshift(...kept.map(({ time }) => time))
      for (const name of statNames) columns[name].unshift(...kept.map(({ point }) => point?.[metrics[name]] ?? null))
    },
    latest: () => latest,
    times: () => times,
    column: (name) => columns[name],
  }
}

/** Whether the game is known not to have run then: an average of a minute says nothing of the seconds before a start. */
function wasDown(marks: History['marks'], time: number): boolean {
  const turns = marks.filter(({ kind }) => kind !== 'join' && kind !== 'leave')
  const isAfter = (at: string) => Date.parse(at) / 1000 > time
  const last = turns.findLast(({ at }) => !isAfter(at))
  return last === undefined ? turns.find(({ at }) => isAfter(at))?.kind === 'start' : last.kind !== 'start'
}

/** Least, mean and most of what is known; null when nothing is. For those who read instead of looking. */
export function summarise(values: readonly (number | null)[]): { least: number; mean: number; most: number } | null {
  let count = 0
  let sum = 0
  let least = Infinity
  let most = -Infinity
  for (const value of values) {
    if (value === null) continue
    count += 1
    sum += value
    if (value < least) least = value
    if (value > most) most = value
  }
  return count === 0 ? null : { least, mean: sum / count, most }
}
