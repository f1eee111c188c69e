import type { PaymentReturnKind } from '@wakestone/contract/money/payment-return'
import { createAnnouncement } from '#src/announcement.ts'

/**
 * A payment was given back, in part or whole, in the transaction that takes it from the wallet.
 * `refunded`: minor units that its payer has got back in all.
 */
export const moneyReturned = createAnnouncement<{
  depositId: string
  kind: PaymentReturnKind
  refunded: number
  now: Date
}>('returned money')

/** What was given back has not left, or is ours again. `refunded`: what its payer has got back in all, after that. */
export const returnUndone = createAnnouncement<{ depositId: string; refunded: number }>('money that is back')
