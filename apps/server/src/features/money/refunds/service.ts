/**
 * Money that goes back to a payer: refunds that administrators ask for, those made at the gateway past us, and what the
 * payer's bank takes. See docs/decisions/0007-money-that-goes-back.md.
 */
export { moneyReturned, returnUndone } from './returned.ts'
export { requestRefund } from './requests.ts'
export { handleChargeback } from './chargebacks.ts'
export { type Handled, handleRefund } from './handle.ts'
export { type EndedRefund, findReturnOf, handleAnswer, handleMovement, listEndedRefunds } from './reconciling.ts'
export { sendRefundsJob } from './sending.ts'
