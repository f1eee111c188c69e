import { createAnnouncement } from '#src/announcement.ts'

/**
 * A payment was given back, in part or whole, in the transaction that takes it from the wallet.
 * `refunded`: minor units that its payer has got back in all.
 */
export const moneyReturned = createAnnouncement<{ depositId: string; refunded: number; now: Date }>('returned money')
