/**
 * Money that goes back to a payer: refunds that administrators ask for, those made at the gateway past us, and what the
 * payer's bank takes. See docs/decisions/0007-money-that-goes-back.md.
 */
export { moneyReturned } from './returned.ts'
export { heedChargeback } from './chargebacks.ts'
export { type Heeded, heedRefund } from './heed.ts'
export { type EndedRefund, findReturnOf, heedAnswer, heedMovement, listEndedRefunds } from './reconciling.ts'
export { sendRefundsJob } from './sending.ts'
