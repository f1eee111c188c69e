/** Vouchers as their holders and administrators read them. */
import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  getVoucher,
  listAdminVoucherUses,
  listVoucherGroups,
  listVouchersOfGroup,
} from '@wakestone/contract/sales/vouchers-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { pageOf } from '#app/features/admin/admin-queries.ts'

/** What people type, as the API knows it. */
export const tidyCode = (typed: string) => typed.replace(/\s/g, '').toUpperCase()

/** What a code gives. Asked once: a wrong one counts as a guess. */
export const voucherQuery = (code: string, client: ApiClient = api) =>
  queryOf(getVoucher, { params: { code } }, { client, retry: false, staleTime: 60_000, refetchOnWindowFocus: false })

export const voucherGroupsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOf(listVoucherGroups, { query: pageOf(after) }, { client, placeholderData: keepPreviousData })

export const vouchersOfGroupQuery = (id: string) => queryOf(listVouchersOfGroup, { params: { id } })

export const voucherUsesQuery = (userId: string, after: string | undefined) =>
  queryOf(
    listAdminVoucherUses,
    { params: { id: userId }, query: pageOf(after) },
    {
      placeholderData: keepPreviousData,
    },
  )
