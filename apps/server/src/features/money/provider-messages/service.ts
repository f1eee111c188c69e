/** What payment gateways tell us: kept as it came, verified, and made something of by those whom it concerns. */
export { dropMessagesBefore } from './repo.ts'
export { listUnknownOrders, listUnknownReturns, type ReturnEvent } from './unknown.ts'
