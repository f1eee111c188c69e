import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AuditAction, auditActions, eventLevels } from '@wakestone/contract/event'
import { listServerEvents } from '@wakestone/contract/routes/servers'
import { api } from '#app/api/client.ts'

export type EventFilter = { action: AuditAction | null; minLevel: number | null; after: string | null }

const PAGE = 25

/** Actions that concern a server: what its filter offers. */
export const serverActions = auditActions.filter((action) => !action.startsWith('USER_'))

/** Reads the filter out of the address; what does not fit is left out. */
export function readEventFilter(search: URLSearchParams): EventFilter {
  const action = serverActions.find((candidate) => candidate === search.get('action')) ?? null
  const level = Number(search.get('level'))
  const minLevel = Object.values(eventLevels).find((candidate) => candidate === level) ?? null
  return { action, minLevel, after: search.get('after') }
}

/** One page of a server's events, newest first. The page before stays in sight while the next one comes. */
export function serverEventsQuery(serverId: string, filter: EventFilter, limit: number = PAGE) {
  return queryOptions({
    queryKey: ['servers', serverId, 'events', filter, limit],
    queryFn: () =>
      api(listServerEvents, {
        params: { id: serverId },
        query: {
          limit,
          ...(filter.action === null ? {} : { action: filter.action }),
          ...(filter.minLevel === null ? {} : { minLevel: filter.minLevel }),
          ...(filter.after === null ? {} : { after: filter.after }),
        },
      }),
    placeholderData: keepPreviousData,
    // Older pages do not change.
    refetchInterval: filter.after === null ? 5000 : false,
  })
}
