import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AuditAction, auditActions, eventLevels } from '@wakestone/contract/event'
import { listServerEvents } from '@wakestone/contract/routes/servers'
import { api } from '#app/api/client.ts'
import { endOfDay, startOfDay } from '#app/i18n/time-zone.ts'
import { readAfter } from '#app/ui/table-address.ts'

export type EventFilter = {
  action: AuditAction | null
  minLevel: number | null
  /** Days as the visitor counts them, `yyyy-mm-dd`; both are within. */
  from: string | null
  to: string | null
  after: string | null
}
export const noFilter: EventFilter = { action: null, minLevel: null, from: null, to: null, after: null }

/** Rows on a page of events. */
export const eventsOnPage = 25

/** Actions that concern a server: what its filter offers. */
export const serverActions = auditActions.filter((action) => !action.startsWith('USER_'))

/** Reads the filter out of the address; what does not fit is left out. */
export function readEventFilter(search: URLSearchParams): EventFilter {
  const action = serverActions.find((candidate) => candidate === search.get('action')) ?? null
  const level = Number(search.get('level'))
  const minLevel = Object.values(eventLevels).find((candidate) => candidate === level) ?? null
  return {
    action,
    minLevel,
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
    after: readAfter(search).at(-1) ?? null,
  }
}

function readDay(value: string | null): string | null {
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null
}

/**
 * Events of a server, newest first; `limit` of them. Those of the page before stay in sight while the next ones come.
 * `timeZone` is the visitor's, by which days begin.
 */
export function serverEventsQuery(
  serverId: string,
  { filter, limit, timeZone }: { filter: EventFilter; limit: number; timeZone: string },
) {
  return queryOptions({
    queryKey: ['servers', serverId, 'events', filter, limit, timeZone],
    queryFn: () =>
      api(listServerEvents, {
        params: { id: serverId },
        query: {
          limit,
          ...(filter.action === null ? {} : { action: filter.action }),
          ...(filter.minLevel === null ? {} : { minLevel: filter.minLevel }),
          ...(filter.from === null ? {} : { fromDate: startOfDay(filter.from, timeZone).toISOString() }),
          ...(filter.to === null ? {} : { toDate: endOfDay(filter.to, timeZone).toISOString() }),
          ...(filter.after === null ? {} : { after: filter.after }),
        },
      }),
    placeholderData: keepPreviousData,
    // Older pages do not change.
    refetchInterval: filter.after === null ? 5000 : false,
  })
}
