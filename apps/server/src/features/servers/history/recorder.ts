/**
 * Gathers what supervisors measure into minutes, in memory, and writes those that are over: one statement for all
 * servers. Rows are merged with what another worker has written of the same minute; a kill costs the minute under way.
 */
import { type HistoryMetric, historyMetrics } from '@wakestone/contract/servers/history'
import { livePhases } from '@wakestone/protocol/phases'
import type { ServerStats, SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Context } from '#src/context.ts'
import { addSamples, type SampleRow } from './repo.ts'

const minute = 60_000
const flushMilliseconds = 5_000
/** While the database is away, so many rows wait; later ones are lost. */
const mostWaiting = 5_000

export type Recorder = {
  /** Takes in what a status tells; one that tells nothing new, or of a game that is not up, costs nothing. */
  note(serverId: string, status: Told): void
  close(): Promise<void>
}
type Told = Pick<SupervisorStatus, 'phase' | 'stats' | 'diskBytes'>
type Values = Record<HistoryMetric, number | null>
type Bucket = { at: number; lastSample: number; samples: Values[] }

export function createRecorder(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  { clock = Date.now }: { clock?: () => number } = {},
): Recorder {
  const buckets = new Map<string, Bucket>()
  let waiting: SampleRow[] = []
  let writing = Promise.resolve()

  function close(serverId: string, { at, samples }: Bucket) {
    buckets.delete(serverId)
    if (waiting.length < mostWaiting) waiting.push(rowOf(serverId, at, samples))
  }
  async function write() {
    const rows = waiting
    waiting = []
    try {
      if (rows.length > 0) await addSamples(db, rows)
    } catch (error) {
      waiting = [...rows, ...waiting].slice(0, mostWaiting)
      logger.warn({ error, rows: rows.length }, 'what servers used cannot be written now')
    }
  }
  function flush(until: number) {
    for (const [serverId, bucket] of buckets) if (bucket.at < until) close(serverId, bucket)
    writing = writing.then(write)
    return writing
  }
  const minuteNow = () => Math.floor(clock() / minute) * minute
  const timer = setInterval(() => void flush(minuteNow()), flushMilliseconds)

  return {
    note(serverId, { phase, stats, diskBytes }) {
      if (!stats || phase === 'frozen' || !(livePhases as readonly string[]).includes(phase)) return
      const at = minuteNow()
      const before = buckets.get(serverId)
      if (before?.lastSample === stats.time) return
      if (before !== undefined && before.at !== at) close(serverId, before)
      const bucket = buckets.get(serverId) ?? { at, lastSample: 0, samples: [] }
      bucket.lastSample = stats.time
      bucket.samples.push(valuesOf(stats, diskBytes ?? null))
      buckets.set(serverId, bucket)
    },
    async close() {
      clearInterval(timer)
      await flush(Infinity)
    },
  }
}

const valuesOf = (stats: ServerStats, disk: number | null): Values => ({
  cpu: stats.cpu,
  memory: stats.memory,
  heap: stats.heapUsed ?? null,
  disk,
  players: stats.players,
  network_in: stats.networkIn,
  network_out: stats.networkOut,
  tps: stats.tps,
  tick_ms: stats.tickMs,
})

function rowOf(serverId: string, at: number, samples: Values[]): SampleRow {
  const row: SampleRow = { server_id: serverId, at: new Date(at).toISOString(), samples: samples.length }
  for (const metric of historyMetrics) {
    const known = samples.map((values) => values[metric]).filter((value) => value !== null)
    if (known.length === 0) continue
    row[metric] = rounded(known.reduce((sum, value) => sum + value, 0) / known.length)
    row[extremeOf(metric)] = rounded(metric === 'tps' ? Math.min(...known) : Math.max(...known))
  }
  return row
}

/** The database refuses what is too small for its column, and with it the rows of all other servers. */
const rounded = (value: number) => Math.round(value * 1000) / 1000

const extremeOf = (metric: HistoryMetric) => (metric === 'tps' ? 'tps_least' : (`${metric}_most` as const))
