/** What several screens read. Each takes the client to call with: the browser's, or a loader's. */
import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listProviders, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { listUserServers, listUserWallets } from '@wakestone/contract/accounts/users-routes'
import { getWallet, listWalletLogs, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { isFinalTransaction } from '@wakestone/contract/states'
import { api } from './client.ts'

export const walletsQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'wallets'],
    queryFn: () => client(listUserWallets, { params: { id: userId } }),
  })

export const serversQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'servers'],
    queryFn: () => client(listUserServers, { params: { id: userId } }),
  })

export const walletQuery = (id: string, client: ApiClient = api) =>
  queryOptions({ queryKey: ['wallets', id], queryFn: () => client(getWallet, { params: { id } }) })

/** Rows on a page of a wallet's lists. One more is asked for: it tells whether the list goes on. */
export const pageSize = 20

export const walletLogsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['wallets', id, 'logs', after ?? null],
    queryFn: () =>
      client(listWalletLogs, {
        params: { id },
        query: { limit: pageSize + 1, ...(after === undefined ? {} : { after }) },
      }),
    placeholderData: (page, query) => (query?.queryKey[1] === id ? page : undefined),
  })

export const walletTransactionsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['wallets', id, 'transactions', after ?? null],
    queryFn: () =>
      client(listWalletTransactions, {
        params: { id },
        query: { limit: pageSize + 1, ...(after === undefined ? {} : { after }) },
      }),
    placeholderData: (page, query) => (query?.queryKey[1] === id ? page : undefined),
  })

export const providersQuery = (client: ApiClient = api) =>
  queryOptions({ queryKey: ['providers'], queryFn: () => client(listProviders, {}), staleTime: 60_000 })

/** Follows a transaction until it is final: each second at first, then ever more slowly, at most each 10 s. */
export const followTransactionQuery = (id: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['transactions', id],
    queryFn: () => client(getTransaction, { params: { id } }),
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && isFinalTransaction(state.data.status)) return false
      const tries = state.dataUpdateCount + state.errorUpdateCount
      return tries < 15 ? 1000 : Math.min(10_000, 1000 * 1.25 ** (tries - 15))
    },
    refetchIntervalInBackground: true,
  })
