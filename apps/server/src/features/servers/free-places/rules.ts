/** How long free servers may be up, and when places become free: pure, times in milliseconds since the epoch. */

/** The part of a day's time that is used, and when the next day begins. */
export type Day = {
  /** Milliseconds played since it began, and those that may be. */
  used: number
  limit: number
  /** What may be played on the next day. */
  nextLimit: number
  ends: number
}

/** Less than this is not worth a start. */
const leastMilliseconds = 60_000
export const hour = 3_600_000

export const leftOf = ({ used, limit }: Day) => Math.max(0, limit - used)
/** Whether another start makes sense on this day. */
export const isUsedUp = (day: Day) => leftOf(day) < leastMilliseconds

/** Until when somebody may play who does so from now on without a break: what is left, and the next day's time. */
export function allowedUntil(day: Day, now: number): number {
  const end = now + leftOf(day)
  return end < day.ends ? end : day.ends + day.nextLimit
}

/** When a session that starts now ends. */
export const endOfSession = (day: Day, { now, session }: { now: number; session: number }) =>
  Math.min(now + session, allowedUntil(day, now))

/**
 * One hour more, or what is left of the day's.
 * @param session nobody has more than so much before them
 */
export function extendedEnd(
  day: Day,
  { endsAt, now, session }: { endsAt: number; now: number; session: number },
): number | 'too_early' | 'used_up' {
  if (endsAt + hour > now + session) return 'too_early'
  const end = Math.min(endsAt + hour, allowedUntil(day, now))
  return end - endsAt < leastMilliseconds ? 'used_up' : end
}

/**
 * When it is somebody's turn, if everybody who comes before plays as long as they may.
 * @param ends when each taken place becomes free
 * @param ahead how many wait before them
 * @returns undefined where there are no places at all
 */
export function expectedTurn({
  places,
  ends,
  ahead,
  now,
  session,
}: {
  places: number
  ends: readonly number[]
  ahead: number
  now: number
  session: number
}): number | undefined {
  // Of more than there are places for (their number was lowered), the first to end give nobody their place.
  const free = ends
    .map((end) => Math.min(Math.max(end, now), now + session))
    .concat(Array.from({ length: Math.max(0, places - ends.length) }, () => now))
    .sort((one, other) => one - other)
    .slice(Math.max(0, ends.length - places))
  if (free.length === 0) return undefined
  // Everybody takes the place that is free first and leaves it a session later: in turn, as often as it goes.
  const round = Math.floor(ahead / free.length)
  return (free[ahead % free.length] as number) + round * session
}

/** Minutes before the end at which players are told, the last first. */
const warnings = [5, 10] as const
export type WarningMinutes = (typeof warnings)[number]

/** The warning that is due: none twice, and none of a longer time after one of a shorter. */
export function dueWarning({
  endsAt,
  now,
  warned,
}: {
  endsAt: number
  now: number
  warned: number | null
}): WarningMinutes | undefined {
  const due = endsAt > now ? warnings.find((minutes) => endsAt - now <= minutes * 60_000) : undefined
  return due === undefined || (warned !== null && warned <= due) ? undefined : due
}

/** The day around a moment by somebody's clock. It has 23 hours or 25 where clocks change. */
export function dayAround(now: number, timeZone: string): { begins: number; ends: number } {
  const { year, month, day } = readClock(now, timeZone)
  return { begins: midnight(year, month, day, timeZone), ends: midnight(year, month, day + 1, timeZone) }
}

function midnight(year: number, month: number, day: number, timeZone: string): number {
  const wanted = Date.UTC(year, month - 1, day)
  let moment = wanted
  // Twice, because the first guess may lie on the other side of a change of clocks.
  for (let round = 0; round < 2; round++) moment = wanted - (clockAt(moment, timeZone) - moment)
  // Where midnight does not exist, the day begins after the gap.
  return clockAt(moment, timeZone) < wanted ? moment + hour : moment
}

/** What a clock on the wall says, read as if it hung in UTC. */
function clockAt(moment: number, timeZone: string): number {
  const { year, month, day, hour: hours, minute, second } = readClock(moment, timeZone)
  return Date.UTC(year, month - 1, day, hours, minute, second)
}

/** By time zone: making one takes longer than all that is done with it. */
const clocks = new Map<string, Intl.DateTimeFormat>()
const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const

function readClock(moment: number, timeZone: string) {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields, second: 'numeric' })
  clocks.set(timeZone, clock)
  const parts = clock.formatToParts(moment)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  }
}
