import { useQuery } from '@tanstack/react-query'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { affiliateQuery } from './affiliate-query.ts'
import { payLaterQuery } from './pay-later-query.ts'

/** A way to pay beside the wallet, and how much of it there is, in minor units. */
export type OtherMethod = { method: Exclude<PaymentMethod, 'wallet'>; available: number }

/** What somebody may pay with instead of their wallet, in a currency; nothing for most. */
export function usePaymentMethods(userId: string, currency: string): OtherMethod[] {
  const affiliate = useQuery(affiliateQuery(userId, 7))
  const later = useQuery(payLaterQuery(userId))
  const earned = affiliate.data?.state === 'approved' ? affiliate.data.earnings : []
  const of = (list: readonly { currency: string; available: number }[]) =>
    list.find((one) => one.currency === currency)?.available ?? 0
  const methods: OtherMethod[] = [
    { method: 'affiliate', available: of(earned) },
    { method: 'pay-later', available: of(later.data?.limits ?? []) },
  ]
  return methods.filter(({ available }) => available > 0)
}
