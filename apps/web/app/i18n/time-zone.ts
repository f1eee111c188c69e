import { isTimeZone } from '@wakestone/contract/time-zone'
import { readCookie } from './cookies.ts'

export const timeZoneCookie = 'ws_time_zone'
export const defaultTimeZone = 'Europe/Warsaw'

/** Dates are rendered on the server in the visitor's zone, once a cookie has told it. */
export function readTimeZone(cookies: string | null): string {
  const told = readCookie(cookies, timeZoneCookie)
  return told !== undefined && isTimeZone(told) ? told : defaultTimeZone
}

/** The cookie of a visitor's zone, as a `Cookie` header has it; undefined for the zone of those who told none. */
export function timeZonePair(cookies: string | null): string | undefined {
  const zone = readTimeZone(cookies)
  return zone === defaultTimeZone ? undefined : `${timeZoneCookie}=${encodeURIComponent(zone)}`
}

/** The day that it is in a time zone, `yyyy-mm-dd`. */
export const todayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

/** When a day, `yyyy-mm-dd`, begins in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The zone's offset near midnight, and once more at the time found: clocks may be changed in between.
  const guess = midnight - offsetAt(midnight, timeZone)
  return new Date(midnight - offsetAt(guess, timeZone))
}

/** The last millisecond of a day. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  return new Date(startOfDay(next, timeZone).getTime() - 1)
}

/** What a clock of a zone shows at a time, as `datetime-local` fields have it: `2026-12-24T18:30`. '' for no time. */
export function toClock(time: string, timeZone: string): string {
  const at = Date.parse(time)
  return Number.isNaN(at) ? '' : new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16)
}

/** When a clock of a zone shows that; undefined for what no such field holds. */
export function fromClock(clock: string, timeZone: string): string | undefined {
  const shown = Date.parse(`${clock}Z`)
  if (clock === '' || Number.isNaN(shown)) return undefined
  const guess = shown - offsetAt(shown, timeZone)
  return new Date(shown - offsetAt(guess, timeZone)).toISOString()
}

/** How far clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time)
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value)
  const clock = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return clock - Math.floor(time / 1000) * 1000
}
