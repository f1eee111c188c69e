/**
 * Who waits for a place, and who gets the next one. A place is a session or an offer; whatever takes or gives one holds
 * the cluster's lock, so that what is read stays true until the transaction ends.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import type { Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { DaySettings } from './days.ts'
import * as repo from './repo.ts'

type PlaceSettings = DaySettings &
  Pick<Settings, 'FREE_PLACES' | 'FREE_SESSION_HOURS' | 'FREE_CONFIRM_SECONDS' | 'FREE_RESERVED_MINUTES'>
/** `now` is given by tests. */
export type Moment = { settings: PlaceSettings; now: Date }

/**
 * Ends what is over and offers what is free to those who wait, the longest first. Afterwards a place is free only if
 * nobody waits. The caller holds the cluster's lock.
 * @returns how many places are free
 */
export async function advance(trx: Transaction, clusterId: string, { settings, now }: Moment): Promise<number> {
  await repo.endSessionsAsleep(trx, clusterId, now)
  for (const session of await repo.endSessionsOver(trx, clusterId, now)) await tellOver(trx, session)
  for (const entry of await repo.deleteLapsedOffers(trx, clusterId, now)) await tellLost(trx, entry)
  const places = (await repo.findPlaceCount(trx, clusterId, settings.FREE_PLACES)) ?? 0
  const free = places - (await repo.countTaken(trx, clusterId))
  if (free <= 0) return 0
  const until = new Date(now.getTime() + settings.FREE_CONFIRM_SECONDS * 1000)
  const offered = await repo.offerToFirst(trx, clusterId, { count: free, until })
  for (const entry of offered) await tellOffered(trx, entry, until)
  return free - offered.length
}

/**
 * Waits for a place: where one is free, it is offered at once.
 * @param clusterId of somebody who has no server yet
 * @throws DomainError `user_already_in_queue`, `user_already_has_free_server` where it is up, `email_not_verified`,
 *   `cluster_not_found`
 */
export async function joinQueue(
  trx: Transaction,
  { userId, clusterId: wished }: { userId: string; clusterId: string },
  moment: Moment,
): Promise<void> {
  const user = await repo.findQueuer(trx, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  if (!user.isProven) throw new DomainError('email_not_verified')
  const clusterId = user.server?.cluster_id ?? wished
  if ((await repo.findPlaceCount(trx, clusterId, 0)) === undefined)
    throw new DomainError('cluster_not_found', { resource: 'cluster' })
  await repo.lockPlaces(trx, clusterId)
  await advance(trx, clusterId, moment)
  if ((await repo.findSession(trx, userId)) !== undefined) throw new DomainError('user_already_has_free_server')
  if (!(await repo.insertEntry(trx, { userId, clusterId, now: moment.now })))
    throw new DomainError('user_already_in_queue')
  await advance(trx, clusterId, moment)
}

/** Gives up a turn, an offered place, or one that was kept for a server that does not exist yet. */
export async function leaveQueue(trx: Transaction, userId: string, moment: Moment): Promise<void> {
  const clusterId = (await repo.findEntry(trx, userId))?.cluster_id ?? (await repo.findSession(trx, userId))?.cluster_id
  if (clusterId === undefined) return
  await repo.lockPlaces(trx, clusterId)
  const session = await repo.findSession(trx, userId)
  if (session?.server_id === null) await repo.endSession(trx, session.id, { now: moment.now, reason: 'unused' })
  await repo.deleteEntry(trx, userId)
  await advance(trx, clusterId, moment)
}

async function tellOffered(trx: Transaction, { user_id, number }: repo.QueueEntry, until: Date): Promise<void> {
  await notify(trx, {
    userId: user_id,
    kind: 'FREE_PLACE_OFFERED',
    fields: { until: until.toISOString() },
    actionExpires: until,
    dedupeKey: `free place offered ${number}`,
  })
}

async function tellLost(trx: Transaction, { user_id, number }: repo.QueueEntry): Promise<void> {
  await notify(trx, {
    userId: user_id,
    kind: 'FREE_PLACE_LOST',
    fields: {},
    dedupeKey: `free place lost ${number}`,
  })
}

async function tellOver(trx: Transaction, { id, user_id, server_id }: repo.Session): Promise<void> {
  if (server_id === null) return
  const server = await repo.findServerName(trx, server_id)
  if (server === undefined) return
  await notify(trx, {
    userId: user_id,
    kind: 'FREE_SESSION_OVER',
    fields: { server },
    resource: { type: 'server', id: server_id },
    dedupeKey: `free session over ${id}`,
  })
}
