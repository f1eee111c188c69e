import { filesKeptDays } from '@wakestone/contract/sales/service'
import type { Server } from '@wakestone/contract/servers/server'

/** How much of the paid time is left. A service without an end never expires. */
export type TimeLeft = { kind: 'never' } | { kind: 'expired' } | { kind: 'left'; days: number; share: number }

const DAY = 86_400_000

/** `share` is of the time between the beginning and the end, at most of the last 30 days before the end. */
export function describeTimeLeft(createdAt: string, expires: string | null, now: number): TimeLeft {
  if (expires === null) return { kind: 'never' }
  const end = new Date(expires).getTime()
  const left = end - now
  if (left <= 0) return { kind: 'expired' }
  const whole = Math.max(DAY, Math.min(end - new Date(createdAt).getTime(), Math.max(30 * DAY, left)))
  return { kind: 'left', days: left < DAY ? 0 : Math.round(left / DAY), share: Math.min(1, left / whole) }
}

/** Until when the files of a server are kept after its end. A day that was told already counts. */
export const keptUntil = ({ cleanup_date }: Pick<Server, 'cleanup_date'>, expires: string): Date =>
  new Date(cleanup_date ?? Date.parse(expires) + filesKeptDays * DAY)
