import type { ApiClient } from '@wakestone/contract/client'
import { listProjectReports, listWaitingReleases } from '@wakestone/contract/marketplace/moderation-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const waitingQuery = (client: ApiClient = api) =>
  queryOf(listWaitingReleases, {}, { client, refetchInterval: 30_000 })
export const reportsQuery = (client: ApiClient = api) => queryOf(listProjectReports, {}, { client })
