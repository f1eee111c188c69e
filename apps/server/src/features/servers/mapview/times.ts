import { CronExpressionParser } from 'cron-parser'
import { mapLimits } from '@wakestone/contract/servers/mapview'

const daily = `0 ${mapLimits.dailyHour} * * *`

/** When maps are drawn by themselves: the last time up to now, and the next one. */
export function dailyTimes(now: Date, timeZone: string): { last: Date; next: Date } {
  const options = { currentDate: now, tz: timeZone }
  return {
    last: CronExpressionParser.parse(daily, options).prev().toDate(),
    next: CronExpressionParser.parse(daily, options).next().toDate(),
  }
}

/** From when on it may be drawn by hand again; null: now. */
export function nextByHand(askedAt: Date | null, now: Date): Date | null {
  if (askedAt === null) return null
  const next = new Date(askedAt.getTime() + mapLimits.hoursByHand * 3_600_000)
  return next > now ? next : null
}
