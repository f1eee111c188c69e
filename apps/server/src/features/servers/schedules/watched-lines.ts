/** Schedules that wait for a line of the console: supervisors look for it, and tell when they have seen one. */
import { createHash } from 'node:crypto'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import * as repo from './repo.ts'

/** What is told later than this is not acted on any more, as with times that were missed. */
const missedMilliseconds = 10 * 60_000

/** Has a supervisor watch for the lines that are waited for now. One that is too old for it is left alone. */
export async function tellWatchedLines(
  db: Handle,
  serverId: string,
  { supervisor, status }: { supervisor: Pick<SupervisorClient, 'watchLines'>; status: SupervisorStatus },
): Promise<void> {
  if (status.watchedLines === undefined) return
  const lines = await repo.selectWatchedLines(db, serverId)
  const mark = lines.length === 0 ? null : createHash('sha256').update(JSON.stringify(lines)).digest('base64url')
  if (mark !== status.watchedLines) await supervisor.watchLines(lines, mark)
}

/** @param id of the schedule that waits for it, as a supervisor says: it may be another server's, or none. */
export async function runAfterLine(
  trx: Transaction,
  serverId: string,
  { id, at }: { id: string; at: string },
): Promise<void> {
  if (Date.now() - Date.parse(at) < missedMilliseconds) await repo.insertRunAfterLine(trx, { serverId, scheduleId: id })
}
