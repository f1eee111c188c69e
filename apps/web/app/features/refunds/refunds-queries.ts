/** Refunds, chargebacks and what is owed, for administrators. */
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { listPayments } from '@wakestone/contract/admin/admin-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { paymentReturnKinds, paymentReturnStates } from '@wakestone/contract/money/payment-return'
import {
  enterChargeback,
  getTransactionReturns,
  listDebts,
  listPaymentReturns,
  refundTransaction,
  settlePaymentReturn,
} from '@wakestone/contract/money/payment-returns-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutAdminUser, aboutUser, aboutWallet } from '#app/api/stale-answers.ts'
import { readPage } from '#app/ui/table-address.ts'

export const pageSize = 25

/** The filters of the address; what means nothing is left out. */
export function readFilters(search: URLSearchParams) {
  const kind = paymentReturnKinds.find((known) => known === search.get('kind'))
  const state = paymentReturnStates.find((known) => known === search.get('state'))
  return {
    ...readDebtsPage(search),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  }
}
export const readDebtsPage = (search: URLSearchParams) => ({
  offset: (readPage(search) - 1) * pageSize,
  limit: pageSize,
})

export const returnsQuery = (filters: ReturnType<typeof readFilters>, client: ApiClient = api) =>
  queryOf(listPaymentReturns, { query: filters }, { client, placeholderData: keepPreviousData })

export const debtsQuery = (page: ReturnType<typeof readDebtsPage>, client: ApiClient = api) =>
  queryOf(listDebts, { query: page }, { client, placeholderData: keepPreviousData })

export const transactionReturnsQuery = (id: string) =>
  queryOf(
    getTransactionReturns,
    { params: { id } },
    {
      staleTime: 0, // what a wallet holds may have changed,
    },
  )

/** Everything that such a change shows in. */
function useReload() {
  const queries = useQueryClient()
  return () =>
    makeStale(
      queries,
      ...[listPaymentReturns, listDebts, getTransactionReturns, listPayments].map((route) => answersOf(route)),
      ...aboutAdminUser(),
      ...aboutWallet(),
      ...aboutUser(),
    )
}

export function useRefund(transactionId: string) {
  const reload = useReload()
  return async (body: { amount: number; reason: string }, idempotencyKey: string) => {
    await api(refundTransaction, { params: { id: transactionId }, body, idempotencyKey })
    await reload()
  }
}

type Taken = { kind: 'chargeback' | 'outside'; amount: number; reason: string; case_id: string }
export function useEnterChargeback(transactionId: string) {
  const reload = useReload()
  return async (body: Taken) => {
    await api(enterChargeback, { params: { id: transactionId }, body })
    await reload()
  }
}

export function useSettle(id: string) {
  const reload = useReload()
  return async (body: { outcome: 'COMPLETED' | 'FAILED' | 'RETURNED'; reason: string }) => {
    await api(settlePaymentReturn, { params: { id }, body })
    await reload()
  }
}
