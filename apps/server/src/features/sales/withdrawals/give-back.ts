import type { TransactionAction } from '@wakestone/contract/states'
import type { Transaction } from '#src/db/client.ts'
import { findPaidWith } from '#src/features/sales/bills/service.ts'
import type { Return, ServiceRow } from '#src/features/sales/services/service.ts'
import { taxWithin } from '#src/features/money/taxes/service.ts'
import { creditWallet } from '#src/features/money/wallets/service.ts'

/** To the wallet it was paid from; what was paid with credit that never leaves stays such credit. */
export async function giveBack(
  trx: Transaction,
  { service, returns }: { service: ServiceRow; returns: Return[] },
  declarationId: string,
): Promise<string[]> {
  const ids: string[] = []
  const known = await findPaidWith(
    trx,
    returns.flatMap(({ payment }) => (payment.transaction === null ? [] : [payment.transaction])),
  )
  for (const { payment, amount } of returns) {
    const paid = known.find(({ id }) => id === payment.transaction)
    if (paid !== undefined && paid.currency !== service.currency)
      throw new Error(
        `${payment.transaction} was paid in ${paid.currency}, and does not go back in ${service.currency}`,
      )
    const credit =
      paid === undefined || paid.amount === 0
        ? 0
        : Math.ceil((amount * Math.min(paid.credit, paid.amount)) / paid.amount)
    const parts = [
      { amount: amount - credit, refundable: true },
      { amount: credit, refundable: false },
    ]
    for (const part of parts.filter((one) => one.amount > 0)) {
      ids.push(
        await creditWallet(trx, {
          userId: service.owner_id,
          walletId: service.wallet_id,
          currency: service.currency,
          amount: part.amount,
          tax: taxWithin(part.amount, payment.vatRate),
          countryTaxRate: { country_code: payment.country, vat_rate: payment.vatRate },
          source: 'purchase',
          refundable: part.refundable,
          cause: 'REFUND',
          // Of the same kind as what is given back: reports count it as less of that.
          action: (paid?.action ?? 'ADD_SERVICE') as TransactionAction,
          scope: 'withdrawal',
          key: `${declarationId}:${service.id}:${payment.transaction ?? 'before'}:${part.refundable ? 'money' : 'credit'}`,
          details: {
            service_id: service.id,
            // What was bought then: the plan may be another one by now. A payment that was for more names the plan.
            product_id: (service.parent_id === null ? paid?.product : undefined) ?? service.product_id,
            withdrawal: true,
            ...(payment.transaction !== null && { reverses: payment.transaction }),
          },
        }),
      )
    }
  }
  return ids
}
