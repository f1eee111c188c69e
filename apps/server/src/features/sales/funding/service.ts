/** Paying for a purchase: from the wallet, or by what first fills the wallet with exactly the price. */
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { payOut } from '#src/features/sales/affiliates/service.ts'
import { lendForPurchase, linkPurchase } from '#src/features/sales/bills/service.ts'
import { type Charge, chargeWallet } from '#src/features/money/wallets/service.ts'

export type Payment = {
  method: PaymentMethod
  charge: Omit<Charge, 'provider' | 'creditor'>
  /** What is bought. */
  serviceId: string
  now: Date
}

/**
 * Pays in the purchase's own transaction. The caller sees to it that a purchase under the same key is not made again.
 * @returns id of the customer's transaction.
 * @throws DomainError those of `chargeWallet`, `payOut` and `lendForPurchase`.
 */
export async function payPurchase(
  trx: Transaction,
  { settings }: Pick<Context, 'settings'>,
  { method, charge, serviceId, now }: Payment,
): Promise<string> {
  if (method === 'wallet' || charge.amount === 0) return chargeWallet(trx, charge)
  const { userId, walletId, currency, amount, key } = charge
  const purse = { userId, walletId, currency, amount, now }
  if (method === 'affiliate') {
    await payOut(trx, { ...purse, key: `purchase:${key}`, details: { service_id: serviceId } })
    return chargeWallet(trx, { ...charge, provider: method })
  }
  const billId = await lendForPurchase(trx, settings, { ...purse, key, serviceId })
  const purchaseId = await chargeWallet(trx, { ...charge, provider: method })
  await linkPurchase(trx, billId, purchaseId)
  return purchaseId
}
