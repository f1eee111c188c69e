/** A history in columns ready to be drawn. */
import type { HistoryPoint, StatsHistory } from '@wakestone/contract/servers/history'

export type HistoryColumn = Exclude<keyof HistoryPoint, 'at'>
export type HistoryColumns = {
  /** Seconds since 1970, rising, from the beginning of the span to its end. */
  times: readonly number[]
  of: (name: HistoryColumn) => readonly (number | null)[]
}

const seconds = (time: string) => Date.parse(time) / 1000

/**
 * Each point stands for the whole of its step. Where the next one does not follow, the line ends: a hole is not a
 * straight line.
 */
export function toColumns({ from, to, step_seconds: step, points }: StatsHistory): HistoryColumns {
  const [start, end] = [seconds(from), seconds(to)]
  const times: number[] = []
  const rows: (HistoryPoint | null)[] = []
  const push = (time: number, row: HistoryPoint | null) => {
    if (time <= (times.at(-1) ?? -Infinity)) return
    times.push(time)
    rows.push(row)
  }
  if (points[0] === undefined || seconds(points[0].at) > start) push(start, null)
  for (const [index, point] of points.entries()) {
    const at = seconds(point.at)
    const next = points[index + 1]
    push(at, point)
    if (next !== undefined && seconds(next.at) - at <= step) continue
    const over = Math.min(at + step, end)
    push(over - 1, point)
    push(over, null)
  }
  push(end, null)
  return { times, of: (name) => rows.map((row) => row?.[name] ?? null) }
}
