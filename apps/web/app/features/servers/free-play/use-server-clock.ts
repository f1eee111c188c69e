import { useNow } from '#app/ui/use-now.ts'

/** The clock by which an answer's times are meant; null while rendered on the server. */
export function useServerClock({ now, askedAt }: { now: string; askedAt: number }): number | null {
  const here = useNow()
  return here === null ? null : here + Date.parse(now) - askedAt
}

/** Minutes and seconds, as on a stopwatch. */
export function stopwatch(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
