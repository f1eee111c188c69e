/** How much of a day somebody's free server has been up. */
import type { Settings } from '@wakestone/kit/settings'
import type { Handle } from '#src/db/client.ts'
import { countBonusHours, findTimeZone, sumPlayed } from './repo.ts'
import { type Day, dayAround, hour } from './rules.ts'

export type DaySettings = Pick<Settings, 'FREE_DAY_HOURS' | 'SELLER_TIME_ZONE'>

/** The day of somebody's own clock, by the seller's where that is not known. */
export async function readDay(db: Handle, settings: DaySettings, userId: string, now: Date): Promise<Day> {
  const { begins, ends } = dayAround(now.getTime(), (await findTimeZone(db, userId)) ?? settings.SELLER_TIME_ZONE)
  const from = new Date(begins)
  const nextLimit = settings.FREE_DAY_HOURS * hour
  return {
    used: await sumPlayed(db, userId, { from, to: now }),
    limit: nextLimit + (await countBonusHours(db, userId, from)) * hour,
    nextLimit,
    ends,
  }
}
