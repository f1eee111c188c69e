/** The last crash of a server, as it was told. */
import { type Crash, ranWellMinutes } from '@wakestone/contract/servers/crash'
import type { SupervisorEvent } from '@wakestone/protocol/supervisor'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { findCrash, writeCrash, writeRanWell } from './repo.ts'

type Told = Extract<SupervisorEvent, { type: 'crashed' }>

/** Its reasons with what is known of each, the most certain first. */
export function reasonsOf({ reasons, crash }: Told): { tag: string; details: Crash['details'] }[] {
  const tags = new Set(crash === undefined ? reasons : [crash.tag, ...reasons])
  return [...tags].map((tag) => ({ tag, details: tag === crash?.tag ? bounded(crash.details) : {} }))
}

/** A supervisor may tell of as many as it likes; known reasons have two at most. */
const mostDetails = 10
const bounded = (details: Crash['details']) => Object.fromEntries(Object.entries(details).slice(0, mostDetails))

export async function noteCrash(trx: Transaction, serverId: string, event: Told): Promise<void> {
  const [{ tag, details } = { tag: 'unknown', details: {} }] = reasonsOf(event)
  await writeCrash(trx, serverId, {
    at: new Date(event.at),
    tag,
    details,
    exit_code: event.exit.code,
    exit_signal: event.exit.signal,
    heap: event.crash?.heap ?? null,
    last_lines: event.lastLines,
    over_at: null,
  })
}

const ranWellSeconds = ranWellMinutes * 60

/** Before what is known of its game is written anew: it may be up no longer, after it has been for long enough. */
export const noteRanWell = (trx: Transaction, serverId: string, until: string): Promise<void> =>
  writeRanWell(trx, serverId, { until, seconds: ranWellSeconds })

export async function showCrash(db: Handle, server: Pick<ServerRow, 'id' | 'launched_at'>): Promise<Crash | null> {
  const row = await findCrash(db, server.id)
  if (row === undefined) return null
  const launched = server.launched_at?.getTime() ?? Infinity
  const runsWell = launched > row.at.getTime() && Date.now() - launched > ranWellSeconds * 1000
  return {
    is_over: runsWell || row.over_at !== null,
    at: row.at.toISOString(),
    tag: row.tag,
    details: row.details as Crash['details'],
    exit: { code: row.exit_code, signal: row.exit_signal },
    heap: row.heap as Crash['heap'],
    last_lines: row.last_lines,
  }
}
