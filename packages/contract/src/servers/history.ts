/** What a server used over a longer time: points of a graph, and when it slept. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'

export const historySpans = ['hour', 'day', 'week', 'month', 'year'] as const
export type HistorySpan = (typeof historySpans)[number]

/** How long a span is, and how much of it one point stands for. */
export const spanSeconds: Record<HistorySpan, { length: number; step: number }> = {
  hour: { length: 3600, step: 60 },
  day: { length: 86_400, step: 300 },
  week: { length: 7 * 86_400, step: 3600 },
  month: { length: 30 * 86_400, step: 3600 },
  year: { length: 365 * 86_400, step: 43_200 },
}

/** What is measured. Sizes in bytes, network in bytes per second, cpu 1 = one whole core. */
export const historyMetrics = [
  'cpu',
  'memory',
  'heap',
  'disk',
  'players',
  'network_in',
  'network_out',
  'tps',
  'tick_ms',
] as const
export type HistoryMetric = (typeof historyMetrics)[number]

const mean = z.number().nullable()
const extreme = z.number().nullable()

/** Means over the time in which the game was up, and the most; of ticks per second the least. Null: not known. */
export const historyPointSchema = z.object({
  at: timeSchema,
  cpu: mean,
  cpu_most: extreme,
  memory: mean,
  memory_most: extreme,
  heap: mean,
  heap_most: extreme,
  disk: mean,
  disk_most: extreme,
  players: mean,
  players_most: extreme,
  network_in: mean,
  network_in_most: extreme,
  network_out: mean,
  network_out_most: extreme,
  tps: mean,
  tps_least: extreme,
  tick_ms: mean,
  tick_ms_most: extreme,
})
export type HistoryPoint = z.infer<typeof historyPointSchema>

/** How many hours of players a list of servers shows. */
export const hoursOfPlayers = 24

export const historyMarks = ['start', 'stop', 'crash', 'join', 'leave'] as const
export type HistoryMarkKind = (typeof historyMarks)[number]
/** At most this many of each kind, the newest. */
export const marksOfKind = 200

export const statsHistorySchema = z.object({
  from: timeSchema,
  to: timeSchema,
  step_seconds: z.int(),
  /** Oldest first. Where there is none, the game was not up, or nobody measured. */
  points: z.array(historyPointSchema),
  /** When it slept, oldest first; those too short to be seen at this step are counted in `slept_seconds` only. */
  sleeps: z.array(z.object({ from: timeSchema, to: timeSchema })),
  slept_seconds: z.int(),
  /** When the game started and ended and, for spans of up to a day, who joined and left; oldest first. */
  marks: z.array(z.object({ at: timeSchema, kind: z.enum(historyMarks), player: z.string().nullable() })),
})
export type StatsHistory = z.infer<typeof statsHistorySchema>
