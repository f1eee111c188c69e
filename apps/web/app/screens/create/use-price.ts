import { useQuery } from '@tanstack/react-query'
import { getProductCost } from '@wakestone/contract/sales/billings-routes'
import type { Cost } from '@wakestone/contract/sales/product'
import type { ShownVoucher } from '@wakestone/contract/sales/voucher'
import { queryOf } from '#app/api/query-of.ts'
import type { OtherMethod } from '#app/features/payment/use-payment-methods.ts'
import type { Choice } from './draft.ts'

/** What the API says it costs; the form never computes a price itself. */
function useCost({ plan, period, cluster, wallet }: Choice, voucher: string | null) {
  const call = {
    params: { id: plan?.id ?? '' },
    query: {
      currency: wallet?.currency ?? 'PLN',
      period,
      cluster_id: cluster?.id,
      ...(voucher !== null && { vouchers: voucher }),
    },
  }
  return useQuery(
    queryOf(getProductCost, call, {
      retry: voucher === null, // a wrong code counts as a guess
      select: (costs): Cost | null =>
        costs.find((cost) => cost.period === period && cost.cluster_id === cluster?.id) ?? null,
      enabled: plan !== undefined && period !== undefined && cluster !== undefined && wallet !== undefined,
    }),
  )
}

export type OrderPrice = {
  /** Undefined while it is asked for; null: there is none. */
  cost: Cost | null | undefined
  failure: unknown
  /** Why the voucher does not fit this order. */
  misfit: unknown
  /** What is charged. */
  gross: { amount: number; currency: string } | undefined
  /** What is lacking for it, in minor units, of what it is paid with. */
  missing: number
}

/** What an order costs, with its voucher. */
export function usePrice(
  choice: Choice,
  {
    voucher,
    paidBy,
    other,
  }: {
    voucher: string | null
    /** A voucher that pays for the whole server. */
    paidBy: ShownVoucher | undefined
    /** What is paid with instead of the wallet. */
    other: OtherMethod | undefined
  },
): OrderPrice {
  const { wallet } = choice
  const full = useCost(choice, null)
  const isDiscounted = voucher !== null && paidBy === undefined
  const discounted = useCost(choice, isDiscounted ? voucher : null)
  const cost = isDiscounted && discounted.data ? discounted : full
  const gross =
    paidBy !== undefined && wallet !== undefined ? { amount: 0, currency: wallet.currency } : cost.data?.gross_price
  const funds = other?.available ?? wallet?.balance.amount ?? 0
  return {
    cost: cost.data,
    failure: cost.error,
    misfit: isDiscounted ? discounted.error : null,
    gross,
    missing: gross === undefined || wallet === undefined ? 0 : Math.max(0, gross.amount - funds),
  }
}
