/** What several screens read. Each takes the client to call with: the browser's, or a loader's. */
import type { ApiClient } from '@wakestone/contract/client'
import { listProviders, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { listUserServers, listUserWallets } from '@wakestone/contract/accounts/users-routes'
import { getWallet, listWalletLogs, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { isFinalTransaction } from '@wakestone/contract/states'
import { api } from './client.ts'
import { keepWhile, queryOf } from './query-of.ts'

export const walletsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listUserWallets, { params: { id: userId } }, { client })

export const serversQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listUserServers, { params: { id: userId } }, { client })

export const walletQuery = (id: string, client: ApiClient = api) => queryOf(getWallet, { params: { id } }, { client })

/** Rows on a page of a wallet's lists. One more is asked for: it tells whether the list goes on. */
export const pageSize = 20

export const walletLogsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listWalletLogs,
    {
      params: { id },
      query: { limit: pageSize + 1, ...(after === undefined ? {} : { after }) },
    },
    { client, placeholderData: keepWhile({ id }) },
  )

export const walletTransactionsQuery = (id: string, after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listWalletTransactions,
    {
      params: { id },
      query: { limit: pageSize + 1, ...(after === undefined ? {} : { after }) },
    },
    { client, placeholderData: keepWhile({ id }) },
  )

export const providersQuery = (client: ApiClient = api) => queryOf(listProviders, {}, { client, staleTime: 60_000 })

/** Follows a transaction until it is final: each second at first, then ever more slowly, at most each 10 s. */
export const followTransactionQuery = (id: string, client: ApiClient = api) =>
  queryOf(
    getTransaction,
    { params: { id } },
    {
      client,
      refetchInterval: ({ state }) => {
        if (state.data !== undefined && isFinalTransaction(state.data.status)) return false
        const tries = state.dataUpdateCount + state.errorUpdateCount
        return tries < 15 ? 1000 : Math.min(10_000, 1000 * 1.25 ** (tries - 15))
      },
      refetchIntervalInBackground: true,
    },
  )
