/** Free servers take turns: waiting, taking the place that is offered, playing on. */
import { randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { FreePlay, freeAvailabilitySchema } from '@wakestone/contract/servers/free-play'
import type { z } from 'zod'
import { createAnnouncement } from '#src/announcement.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { listClusters } from '#src/features/servers/clusters/service.ts'
import * as places from '#src/features/servers/free-places/service.ts'
import { startServer } from '#src/features/servers/servers/service.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>

/** An hour from invitations is taken for a free server. Whoever keeps those hours refuses where there are none. */
export const bonusHourTaken = createAnnouncement<{ userId: string; serviceId: string; key: string; now: Date }>(
  'hours taken for free servers',
)

const iso = (moment: number) => new Date(moment).toISOString()
const momentOf = ({ settings }: Deps) => ({ settings, now: new Date() })

/** Where somebody stands with their free server. */
export async function showFreePlay(deps: Deps, userId: string): Promise<FreePlay> {
  const moment = momentOf(deps)
  const { server, session, turn, day } = await places.readStanding(deps.db, userId, moment)
  return {
    now: moment.now.toISOString(),
    server_id: server?.id ?? null,
    ...stateOf({ session, turn }),
    queue: turn
      ? {
          cluster_id: turn.clusterId,
          position: turn.position,
          waiting: turn.waiting,
          expected: turn.expected?.toISOString() ?? null,
        }
      : null,
    session:
      session === undefined || session.server_id === null
        ? null
        : {
            started_at: session.started_at?.toISOString() ?? null,
            ends_at: session.ends_at.toISOString(),
            obstacle: obstacleOf({ session, day }, moment),
          },
    day: { used: Math.floor(day.used / 1000), limit: Math.floor(day.limit / 1000), ends: iso(day.ends) },
    rules: {
      session: Math.round(deps.settings.FREE_SESSION_HOURS * 3600),
      confirm: deps.settings.FREE_CONFIRM_SECONDS,
    },
  }
}

function stateOf({ session, turn }: Pick<places.Standing, 'session' | 'turn'>): Pick<FreePlay, 'state' | 'until'> {
  if (session?.server_id === null) return { state: 'reserved', until: session.ends_at.toISOString() }
  if (session !== undefined) return { state: 'playing', until: null }
  if (turn?.offeredUntil !== undefined) return { state: 'offered', until: turn.offeredUntil.toISOString() }
  return { state: turn === undefined ? 'idle' : 'waiting', until: null }
}

function obstacleOf(
  { session, day }: { session: NonNullable<places.Standing['session']>; day: places.Standing['day'] },
  { settings, now }: places.Moment,
): NonNullable<FreePlay['session']>['obstacle'] {
  if (session.started_at === null) return 'not_started'
  const end = places.extendedEnd(day, {
    endsAt: session.ends_at.getTime(),
    now: now.getTime(),
    session: settings.FREE_SESSION_HOURS * places.hour,
  })
  return typeof end === 'number' ? null : end
}

/** Of the clusters that somebody sees. */
export async function showAvailability(
  deps: Deps,
  capabilities: Parameters<typeof listClusters>[1],
): Promise<z.output<typeof freeAvailabilitySchema>> {
  const open = (await listClusters(deps.db, capabilities)).filter(({ disabled }) => !disabled)
  const clusters = await Promise.all(
    open.map(async ({ id }) => {
      const { places: all, free, waiting, expected } = await places.readAvailability(deps.db, id, momentOf(deps))
      return { cluster_id: id, places: all, free, waiting, expected: expected?.toISOString() ?? null }
    }),
  )
  const { FREE_SESSION_HOURS, FREE_DAY_HOURS } = deps.settings
  const [session, day] = [FREE_SESSION_HOURS, FREE_DAY_HOURS].map((hours) => Math.round(hours * 3600)) as [
    number,
    number,
  ]
  return { available: clusters.some(({ free }) => free > 0), rules: { session, day }, clusters }
}

/** See `joinQueue`. */
export function joinFreeQueue(deps: Deps, userId: string, clusterId: string): Promise<void> {
  return inTransaction(deps.db, (trx) => places.joinQueue(trx, { userId, clusterId }, momentOf(deps)))
}

export function leaveFreeQueue(deps: Deps, userId: string): Promise<void> {
  return inTransaction(deps.db, (trx) => places.leaveQueue(trx, userId, momentOf(deps)))
}

/**
 * Takes the place that is offered. Asked again, it is taken all the same.
 * @throws DomainError `free_place_not_offered` when the time for it has passed, and what a start is refused with
 */
export async function confirmPlace(deps: Deps, userId: string): Promise<FreePlay> {
  const { server, session, turn } = await places.readStanding(deps.db, userId, momentOf(deps))
  if (session === undefined) {
    if (turn?.offeredUntil === undefined) throw new DomainError('free_place_not_offered')
    if (server === undefined) await inTransaction(deps.db, (trx) => places.reservePlace(trx, userId, momentOf(deps)))
    else {
      await requireWithinLimit(deps, 'power', { serverOfUser: `${userId} ${server.id}` })
      await startServer(deps, server, { userId }, { whatever: true })
    }
  }
  return showFreePlay(deps, userId)
}

/** One hour more. @throws DomainError `free_session_not_extendable`, `free_hours_used_up` */
export async function extendFreeSession(deps: Deps, server: places.PlacedServer): Promise<FreePlay> {
  await inTransaction(deps.db, (trx) => places.extendSession(trx, server, momentOf(deps)))
  return showFreePlay(deps, server.owner_id)
}

/**
 * Makes the day an hour longer, for an hour that invitations have earned.
 * @throws DomainError `not_enough_referral_hours`, `product_not_available` without a free server
 */
export async function takeBonusHour(deps: Deps, userId: string): Promise<FreePlay> {
  await inTransaction(deps.db, async (trx) => {
    const server = await places.findFreeServer(trx, userId)
    if (server === undefined) throw new DomainError('product_not_available', { resource: 'billing_product' })
    const now = new Date()
    await bonusHourTaken.announce(trx, {
      userId,
      serviceId: server.service_id,
      key: `free-play-${randomUUID()}`,
      now,
    })
    await places.noteBonusHour(trx, userId, now)
  })
  return showFreePlay(deps, userId)
}
