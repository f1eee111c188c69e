/** What payment gateways tell us: kept as it came, verified, and made something of by those whom it concerns. */
export { listUnknownOrders } from './unknown-orders.ts'
