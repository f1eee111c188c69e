import type { HistorySpan } from '@wakestone/contract/servers/history'
import { useSearchParams } from 'react-router'

/** What graphs show: the last ten minutes as they pass, or a longer time of which the server keeps a history. */
export const statsSpans = ['now', 'hour', 'day', 'week', 'month', 'year'] as const satisfies readonly (
  | 'now'
  | HistorySpan
)[]
export type StatsSpan = (typeof statsSpans)[number]

/** The span that the address names. */
export function useStatsSpan(): StatsSpan {
  const [search] = useSearchParams()
  const named = search.get('stats')
  return statsSpans.find((span) => span === named) ?? 'now'
}
