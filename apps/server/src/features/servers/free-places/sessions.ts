/** Places that free servers have: taken before a start, begun with the game, made longer, given back. */
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { readDay } from './days.ts'
import { advance, type Moment } from './queue.ts'
import * as repo from './repo.ts'
import { dueWarning, endOfSession, extendedEnd, hour, isUsedUp, type WarningMinutes } from './rules.ts'

export type Warning = { serverId: string; minutes: WarningMinutes }
/** What of a server says whether it needs a place. */
export type PlacedServer = { id: string; owner_id: string; cluster_id: string; product_id: string }

/**
 * Sees to it that a server may be up: one that costs nothing takes a place. Call it before anything about the server is
 * written, with its row locked; it is a matter of the same transaction.
 * @throws DomainError `free_hours_used_up`, `free_servers_not_available`
 */
export async function requirePlace(trx: Transaction, server: PlacedServer, moment: Moment): Promise<void> {
  if (server.product_id !== repo.freeProduct) return
  const { owner_id: userId, cluster_id: clusterId } = server
  const { settings, now } = moment
  await repo.lockPlaces(trx, clusterId)
  const session = await repo.findSession(trx, userId)
  if (session?.server_id === server.id && session.ends_at > now) return

  const day = await readDay(trx, settings, userId, now)
  if (isUsedUp(day)) throw new DomainError('free_hours_used_up', { until: new Date(day.ends).toISOString() })
  // It begins anew with the game: until then this is the longest it may wait for that.
  const endsAt = new Date(endOfSession(day, { now: now.getTime(), session: settings.FREE_SESSION_HOURS * hour }))
  if (session?.server_id === null && session.cluster_id === clusterId && session.ends_at > now) {
    await repo.updateSession(trx, session.id, { server_id: server.id, taken_at: now, ends_at: endsAt })
    return
  }
  const free = await advance(trx, clusterId, moment)
  const entry = await repo.findEntry(trx, userId)
  const isOffered = entry?.cluster_id === clusterId && entry.offered_until !== null && entry.offered_until > now
  if (!isOffered && free === 0) throw new DomainError('free_servers_not_available', { resource: 'server' })
  await repo.deleteEntry(trx, userId)
  const former = await repo.findSession(trx, userId)
  if (former !== undefined) await repo.endSession(trx, former.id, { now, reason: 'asleep' })
  await repo.insertSession(trx, { userId, clusterId, serverId: server.id, takenAt: now, endsAt })
}

/**
 * Takes the offered place for a server that is about to be rented.
 * @throws DomainError `free_place_not_offered`
 */
export async function reservePlace(trx: Transaction, userId: string, { settings, now }: Moment): Promise<void> {
  const clusterId = (await repo.findEntry(trx, userId))?.cluster_id
  if (clusterId === undefined) throw new DomainError('free_place_not_offered')
  await repo.lockPlaces(trx, clusterId)
  const entry = await repo.findEntry(trx, userId)
  if (entry === undefined || entry.offered_until === null || entry.offered_until <= now)
    throw new DomainError('free_place_not_offered')
  await repo.deleteEntry(trx, userId)
  const endsAt = new Date(now.getTime() + settings.FREE_RESERVED_MINUTES * 60_000)
  await repo.insertSession(trx, { userId, clusterId, serverId: null, takenAt: now, endsAt })
}

/**
 * One hour more, or what is left of the day.
 * @throws DomainError `free_session_not_extendable`, `free_hours_used_up`
 */
export async function extendSession(trx: Transaction, server: PlacedServer, { settings, now }: Moment): Promise<void> {
  await repo.lockPlaces(trx, server.cluster_id)
  const session = await repo.findSession(trx, server.owner_id)
  if (session?.server_id !== server.id || session.started_at === null || session.ends_at <= now)
    throw new DomainError('free_session_not_extendable', { reason: 'no_session' })
  const day = await readDay(trx, settings, server.owner_id, now)
  const end = extendedEnd(day, {
    endsAt: session.ends_at.getTime(),
    now: now.getTime(),
    session: settings.FREE_SESSION_HOURS * hour,
  })
  if (end === 'too_early') throw new DomainError('free_session_not_extendable', { reason: 'too_early' })
  if (end === 'used_up') throw new DomainError('free_hours_used_up', { until: new Date(day.ends).toISOString() })
  await repo.updateSession(trx, session.id, { ends_at: new Date(end), warned: null })
}

/** Sessions begin with their games. The caller holds the cluster's lock. */
export async function startClocks(trx: Transaction, clusterId: string, { settings, now }: Moment): Promise<void> {
  for (const { id, user_id } of await repo.selectStarted(trx, clusterId)) {
    const day = await readDay(trx, settings, user_id, now)
    const end = endOfSession(day, { now: now.getTime(), session: settings.FREE_SESSION_HOURS * hour })
    await repo.updateSession(trx, id, { started_at: now, ends_at: new Date(end) })
  }
}

/**
 * Tells owners whose session ends soon. The caller holds the cluster's lock.
 * @returns in which games it is to be said
 */
export async function warnOfEnds(trx: Transaction, clusterId: string, now: Date): Promise<Warning[]> {
  const warned: Warning[] = []
  for (const { id, user_id, server_id, started_at, ends_at, ...session } of await repo.selectSessions(trx, clusterId)) {
    const minutes = dueWarning({ endsAt: ends_at.getTime(), now: now.getTime(), warned: session.warned })
    if (minutes === undefined || server_id === null || started_at === null) continue
    await repo.updateSession(trx, id, { warned: minutes })
    warned.push({ serverId: server_id, minutes })
    const server = await repo.findServerName(trx, server_id)
    if (server === undefined) continue
    await notify(trx, {
      userId: user_id,
      kind: 'FREE_SESSION_ENDS',
      fields: { server, minutes },
      resource: { type: 'server', id: server_id },
      dedupeKey: `free session ends ${id} ${ends_at.getTime()} ${minutes}`,
    })
  }
  return warned
}
