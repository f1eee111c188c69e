/** Where somebody stands with their free server, and how many places there are. */
import type { Handle } from '#src/db/client.ts'
import { readDay } from './days.ts'
import type { Moment } from './queue.ts'
import * as repo from './repo.ts'
import { type Day, expectedTurn, hour } from './rules.ts'

type Turn = {
  clusterId: string
  /** 1 is next. */
  position: number
  waiting: number
  /** When it is expected; undefined where there are no places at all. */
  expected: Date | undefined
  /** A place is held until then. */
  offeredUntil: Date | undefined
}

export type Standing = {
  server: repo.FreeServer | undefined
  session: repo.Session | undefined
  turn: Turn | undefined
  day: Day
}

export async function readStanding(db: Handle, userId: string, moment: Moment): Promise<Standing> {
  const { settings, now } = moment
  const [server, session, entry, day] = await Promise.all([
    repo.findFreeServer(db, userId),
    repo.findSession(db, userId),
    repo.findEntry(db, userId),
    readDay(db, settings, userId, now),
  ])
  const isOver = session !== undefined && session.ends_at <= now
  return {
    server,
    session: isOver ? undefined : session,
    turn: entry && (await readTurn(db, entry, moment)),
    day,
  }
}

async function readTurn(db: Handle, entry: repo.QueueEntry, moment: Moment): Promise<Turn | undefined> {
  const { cluster_id: clusterId, offered_until: until, number } = entry
  // Its time has passed, and soon it is the next one's.
  if (until !== null && until <= moment.now) return undefined
  const { waiting, ahead } = await repo.countWaiting(db, clusterId, number)
  return {
    clusterId,
    position: until === null ? ahead + 1 : 0,
    waiting,
    expected: until === null ? await readExpected(db, clusterId, { ...moment, ahead }) : moment.now,
    offeredUntil: until ?? undefined,
  }
}

async function readExpected(
  db: Handle,
  clusterId: string,
  { settings, now, ahead }: Moment & { ahead: number },
): Promise<Date | undefined> {
  const session = settings.FREE_SESSION_HOURS * hour
  const ends = (await repo.selectSessions(db, clusterId)).map(({ ends_at }) => ends_at.getTime())
  const offers = (await repo.countTaken(db, clusterId)) - ends.length
  const turn = expectedTurn({
    places: (await repo.findPlaceCount(db, clusterId, settings.FREE_PLACES)) ?? 0,
    ends: [...ends, ...Array.from({ length: Math.max(0, offers) }, () => now.getTime() + session)],
    ahead,
    now: now.getTime(),
    session,
  })
  return turn === undefined ? undefined : new Date(turn)
}

type Availability = { clusterId: string; places: number; free: number; waiting: number; expected: Date | null }

/** What somebody who comes now would find. */
export async function readAvailability(db: Handle, clusterId: string, moment: Moment): Promise<Availability> {
  const places = (await repo.findPlaceCount(db, clusterId, moment.settings.FREE_PLACES)) ?? 0
  const { waiting } = await repo.countWaiting(db, clusterId, 0)
  const free = Math.max(0, places - (await repo.countTaken(db, clusterId)) - waiting)
  const expected = await readExpected(db, clusterId, { ...moment, ahead: waiting })
  return { clusterId, places, free, waiting, expected: expected ?? null }
}
