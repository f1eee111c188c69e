import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { type Capabilities, canCreateVoucher, isAdmin } from '@wakestone/contract/capabilities'
import { type AuditAction, eventLevels, isUserAction, writtenActions } from '@wakestone/contract/ground/event'
import { exportServerEvents, exportUserEvents, getEvent } from '@wakestone/contract/ground/events-routes'
import { listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { pathOf } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { endOfDay, startOfDay } from '#app/i18n/time-zone.ts'
import { readAfter, readChoices } from '#app/ui/table-address.ts'

/** Whose events. */
export type EventSource = { kind: 'server' | 'user'; id: string }

export type EventFilter = {
  /** Any of them; none: all. */
  actions: AuditAction[]
  minLevel: number | null
  /** Days as the visitor counts them, `yyyy-mm-dd`; both are within. */
  from: string | null
  to: string | null
  after: string | null
}
export const noFilter: EventFilter = { actions: [], minLevel: null, from: null, to: null, after: null }

/** Rows on a page of events. */
export const eventsOnPage = 25

/** Written to the accounts of those who may do it, and to nobody else's. */
const ofStaff: Partial<Record<AuditAction, (user: Capabilities) => boolean>> = {
  USER_CHANGE_CAPABILITY_SET: isAdmin,
  USER_CHANGE_CLUSTER: isAdmin,
  USER_EVACUATE_CLUSTER: isAdmin,
  USER_CHANGE_FLAG: isAdmin,
  USER_GENERATE_VOUCHERS: canCreateVoucher,
  USER_REVOKE_VOUCHERS: canCreateVoucher,
}

/** What the filter of a server's events offers, and that of an account's, to a viewer with these capabilities. */
export const actionsOf = (kind: EventSource['kind'], viewer: Capabilities) =>
  writtenActions.filter((action) => isUserAction(action) === (kind === 'user') && (ofStaff[action]?.(viewer) ?? true))

/** What can be asked for: what is out of the usual, or only what went wrong. */
export const leastLevels = [eventLevels.WARN, eventLevels.ERROR] as const

/** Reads the filter out of the address; what does not fit is left out. */
export function readEventFilter(search: URLSearchParams, actions: readonly AuditAction[]): EventFilter {
  const wanted = readChoices(search, 'action')
  const level = Number(search.get('level'))
  const minLevel = leastLevels.find((candidate) => candidate === level) ?? null
  return {
    actions: actions.filter((action) => wanted.includes(action)),
    minLevel,
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
    after: readAfter(search).at(-1) ?? null,
  }
}

function readDay(value: string | null): string | null {
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null
}

const rangeOf = (filter: EventFilter, timeZone: string) => ({
  ...(filter.actions.length === 0 ? {} : { action: filter.actions.join() }),
  ...(filter.minLevel === null ? {} : { minLevel: filter.minLevel }),
  ...(filter.from === null ? {} : { fromDate: startOfDay(filter.from, timeZone).toISOString() }),
  ...(filter.to === null ? {} : { toDate: endOfDay(filter.to, timeZone).toISOString() }),
})

/**
 * Events, newest first; `limit` of them. Those of the page before stay in sight while the next ones come.
 * `timeZone` is the visitor's, by which days begin.
 */
export function eventsQuery(
  source: EventSource,
  { filter, limit, timeZone }: { filter: EventFilter; limit: number; timeZone: string },
) {
  const call = {
    params: { id: source.id },
    query: { limit, ...rangeOf(filter, timeZone), ...(filter.after === null ? {} : { after: filter.after }) },
  }
  return queryOf(source.kind === 'server' ? listServerEvents : listUserEvents, call, {
    placeholderData: keepPreviousData,
    // Older pages do not change.
    refetchInterval: filter.after === null ? 5000 : false,
  })
}

/** One event; it never changes. */
export const eventQuery = (id: string, client: ApiClient = api) =>
  queryOf(getEvent, { params: { id } }, { client, staleTime: Infinity })

/** Where all events that fit are a CSV file. */
export function exportPath(source: EventSource, filter: EventFilter, timeZone: string): string {
  const route = source.kind === 'server' ? exportServerEvents : exportUserEvents
  return pathOf(route, { params: { id: source.id }, query: rangeOf(filter, timeZone) })
}
