/** What administrators read. Each takes the client to call with: the browser's, or a loader's. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  adminSearch,
  getAdminUser,
  listAdminServices,
  listAdminTransactions,
  listUsers,
} from '@wakestone/contract/admin/admin-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import type { Language } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'

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
  queryOptions({
    queryKey: ['admin', 'search', q],
    queryFn: () => client(adminSearch, { query: { q } }),
    placeholderData: keepPreviousData,
  })

export const usersQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'users', after ?? null],
    queryFn: () => client(listUsers, { query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })

export const adminUserQuery = (id: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'user', id],
    queryFn: () => client(getAdminUser, { params: { id } }),
  })

export const adminServicesQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'services', after ?? null],
    queryFn: () => client(listAdminServices, { params: { id }, query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })

export const adminTransactionsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'transactions', after ?? null],
    queryFn: () => client(listAdminTransactions, { params: { id }, query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })

export const userNotificationsQuery = (
  id: string,
  { after, language }: { after: string | undefined; language: Language },
  client: ApiClient = api,
) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'notifications', after ?? null, language],
    queryFn: () => client(listNotifications, { params: { id }, query: { ...pageOf(after), language } }),
    placeholderData: keepPreviousData,
  })
