const dayMilliseconds = 86_400_000
const days = 90

/** All days of the span, those of which nothing was counted too. Times are midnights in UTC, in seconds. */
export function dailyValues(
  counted: readonly { label: string; value: number }[],
  now: number,
): { times: number[]; values: number[] } {
  const byDay = new Map(counted.map(({ label, value }) => [Date.parse(`${label}T00:00:00Z`), value]))
  const today = Math.floor(now / dayMilliseconds) * dayMilliseconds
  const times = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * dayMilliseconds)
  return { times: times.map((time) => time / 1000), values: times.map((time) => byDay.get(time) ?? 0) }
}
