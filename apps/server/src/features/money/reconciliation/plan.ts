/** Which days of a gateway are to be compared. */
import type { Handle } from '#src/db/client.ts'
import { findReportedDays } from './repo.ts'

/** After a longer pause, the rest is for somebody to look at. */
const mostDays = 14
const dayMilliseconds = 86_400_000

/**
 * Yesterday (UTC), and those before it, since the first report, that were left out, not compared as a whole, or differed:
 * a gateway or somebody here may have put that right.
 */
export async function planDays(db: Handle, gateway: string, now: Date): Promise<string[]> {
  const today = Date.parse(now.toISOString().slice(0, 10))
  const name = (daysAgo: number) => new Date(today - daysAgo * dayMilliseconds).toISOString().slice(0, 10)
  const reports = await findReportedDays(db, gateway, name(mostDays))
  const first = reports[0]?.day ?? name(1)
  const whole = new Set(reports.filter(({ state }) => state === 'clean').map(({ day }) => day))
  const days = Array.from({ length: mostDays }, (_, index) => name(mostDays - index))
  return days.filter((day) => day >= first && !whole.has(day))
}
