/** What administrators read. Each takes the client to call with: the browser's, or a loader's. */
import { keepPreviousData } from '@tanstack/react-query'
import type { z } from 'zod'
import type { listPaymentsQuery, listUsersQuery } from '@wakestone/contract/admin/admin'
import type { ApiClient } from '@wakestone/contract/client'
import {
  adminSearch,
  getAdminUser,
  listAdminServices,
  listAdminTransactions,
  listPayments,
  listUsers,
} from '@wakestone/contract/admin/admin-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import type { Language } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** Rows on a page. One more is asked for: it tells whether the list goes on. */
export const adminPageSize = 25
/** Shorter texts fit too much to be looked for. */
export const shortestSearch = 3

/** A page of a keyset list, for `<KeysetTable>`. */
export const pageOf = (after: string | undefined) => ({
  limit: adminPageSize + 1,
  ...(after === undefined ? {} : { after }),
})

export const searchQuery = (q: string, client: ApiClient = api) =>
  queryOf(adminSearch, { query: { q } }, { client, placeholderData: keepPreviousData })

export type UserFilters = Pick<z.input<typeof listUsersQuery>, 'q' | 'state' | 'order'>
export const usersQuery = (filters: UserFilters, after: string | undefined, client: ApiClient = api) =>
  queryOf(listUsers, { query: { ...pageOf(after), ...filters } }, { client, placeholderData: keepPreviousData })

export type PaymentFilters = Pick<z.input<typeof listPaymentsQuery>, 'q' | 'provider' | 'status' | 'from' | 'to'>
export const paymentsQuery = (filters: PaymentFilters, after: string | undefined, client: ApiClient = api) =>
  queryOf(listPayments, { query: { ...pageOf(after), ...filters } }, { client, placeholderData: keepPreviousData })

export const adminUserQuery = (id: string, client: ApiClient = api) =>
  queryOf(getAdminUser, { params: { id } }, { client })

export const adminServicesQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOf(listAdminServices, { params: { id }, query: pageOf(after) }, { client, placeholderData: keepPreviousData })

export const adminTransactionsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listAdminTransactions,
    { params: { id }, query: pageOf(after) },
    { client, placeholderData: keepPreviousData },
  )

export const userNotificationsQuery = (
  id: string,
  { after, language }: { after: string | undefined; language: Language },
  client: ApiClient = api,
) =>
  queryOf(
    listNotifications,
    { params: { id }, query: { ...pageOf(after), language } },
    { client, placeholderData: keepPreviousData },
  )
