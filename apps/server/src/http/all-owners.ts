import { ticketOwners } from '#src/features/accounts/support/service.ts'
import { socialOwners } from '#src/features/accounts/users/service.ts'
import { invoiceOwners } from '#src/features/invoicing/invoices/service.ts'
import { transactionOwners } from '#src/features/money/statements/service.ts'
import { walletOwners } from '#src/features/money/wallets/service.ts'
import { serviceOwners } from '#src/features/sales/services/service.ts'
import { craftumOwners } from '#src/features/websites/craftums/service.ts'
import type { OwnerChecks } from '#src/owner-check.ts'

export const allOwners: OwnerChecks = {
  wallet: walletOwners,
  transaction: transactionOwners,
  invoice: invoiceOwners,
  service: serviceOwners,
  social: socialOwners,
  craftum: craftumOwners,
  ticket: ticketOwners,
}
