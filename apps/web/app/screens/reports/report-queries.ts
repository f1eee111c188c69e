import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { type ReportQuery, reportQuery } from '@wakestone/contract/invoicing/report'
import { getRevenueReport, getTaxReport } from '@wakestone/contract/invoicing/reports-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const revenueQuery = (query: ReportQuery, client: ApiClient = api) =>
  queryOf(getRevenueReport, { query }, { client, placeholderData: keepPreviousData })

export const taxQuery = (query: ReportQuery, client: ApiClient = api) =>
  queryOf(getTaxReport, { query }, { client, placeholderData: keepPreviousData })

/** The period and currency of an address; what it does not say, or says wrongly, is this month up to today, in PLN. */
export function readReport(search: URLSearchParams, today: string): ReportQuery {
  const fallback: ReportQuery = { from: `${today.slice(0, 7)}-01`, to: today, currency: 'PLN' }
  const given = Object.fromEntries([...search].filter(([name]) => name in fallback))
  return reportQuery.safeParse({ ...fallback, ...given }).data ?? fallback
}
