import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  listModeratedProjects,
  listProjectReports,
  listWaitingReleases,
} from '@wakestone/contract/marketplace/moderation-routes'
import { type ModeratedStatus, moderatedStatuses } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { pageOf } from '#app/features/admin/admin-queries.ts'
import { readSearch } from '#app/ui/table-address.ts'

export const waitingQuery = (client: ApiClient = api) =>
  queryOf(listWaitingReleases, {}, { client, refetchInterval: 30_000 })
export const reportsQuery = (client: ApiClient = api) => queryOf(listProjectReports, {}, { client })

type ProjectFilters = { q?: string; status?: ModeratedStatus }
/** What the address says of the list of projects; a status that nobody knows is left out. */
export function readProjectFilters(search: URLSearchParams): ProjectFilters {
  const status = moderatedStatuses.find((known) => known === search.get('status'))
  return { ...readSearch(search), ...(status !== undefined && { status }) }
}
export const projectsQuery = (filters: ProjectFilters, after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listModeratedProjects,
    { query: { ...pageOf(after), ...filters } },
    { client, placeholderData: keepPreviousData },
  )
