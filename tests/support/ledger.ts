/** The rules of the money, as the product itself checks them after a restore. */
export { findBroken, findLedgerFaults } from '../../apps/server/src/features/money/ledger/rules.ts'
