/**
 * Places for free servers: which of them may be up, for how long, and who is next. Knows servers by their rows only, so
 * that what starts a server can ask here.
 */
import { type Db, type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { advance, type Moment } from './queue.ts'
import { findEntry, lockPlaces } from './repo.ts'
import { startClocks, type Warning, warnOfEnds } from './sessions.ts'

export { joinQueue, leaveQueue, type Moment } from './queue.ts'
export { findFreeServer, insertBonusHour as noteBonusHour, selectBusyClusters as findBusyClusters } from './repo.ts'
export { extendedEnd, hour } from './rules.ts'
export { extendSession, type PlacedServer, requirePlace, reservePlace, type Warning } from './sessions.ts'
export { readAvailability, readStanding, type Standing } from './standing.ts'

/** Whether somebody waits for a place, or has been offered one. */
export const isInQueue = async (db: Handle, userId: string) => (await findEntry(db, userId)) !== undefined

/**
 * One pass over a cluster's places: ends what is over, starts clocks, warns, and offers what is free. Any number of
 * workers may do it at once, and be killed in it.
 * @param tell has it said in the games, in the same transaction
 */
export async function passPlaces(
  db: Db,
  clusterId: string,
  moment: Moment,
  tell: (trx: Transaction, warning: Warning) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockPlaces(trx, clusterId)
    await startClocks(trx, clusterId, moment)
    await advance(trx, clusterId, moment)
    for (const warning of await warnOfEnds(trx, clusterId, moment.now)) await tell(trx, warning)
  })
}
