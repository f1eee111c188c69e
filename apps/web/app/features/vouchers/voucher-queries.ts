/** Vouchers as their holders and administrators read them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  getVoucher,
  listAdminVoucherUses,
  listVoucherGroups,
  listVouchersOfGroup,
} from '@wakestone/contract/sales/vouchers-routes'
import { api } from '#app/api/client.ts'
import { pageOf } from '#app/features/admin/admin-queries.ts'

/** What people type, as the API knows it. */
export const tidyCode = (typed: string) => typed.replace(/\s/g, '').toUpperCase()

/** What a code gives. Asked once: a wrong one counts as a guess. */
export const voucherQuery = (code: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['vouchers', code],
    queryFn: () => client(getVoucher, { params: { code } }),
    retry: false,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

export const voucherGroupsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'vouchers', after ?? null],
    queryFn: () => client(listVoucherGroups, { query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })

export const vouchersOfGroupQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'vouchers', 'group', id],
    queryFn: () => api(listVouchersOfGroup, { params: { id } }),
  })

export const voucherUsesQuery = (userId: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['admin', 'user', userId, 'vouchers', after ?? null],
    queryFn: () => api(listAdminVoucherUses, { params: { id: userId }, query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })
