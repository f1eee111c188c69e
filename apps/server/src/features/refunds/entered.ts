/** Returns that an administrator has entered by hand, from a letter or a panel, until their gateway tells of them. */
import type { Transaction } from '#src/db/client.ts'
import { isActive } from './money.ts'
import type { Payment } from './payments-repo.ts'
import { type ReturnRow, updateReturn } from './repo.ts'

/** What an administrator has entered already, under the name that a letter gave it. */
export const findEntered = (returns: readonly ReturnRow[], amount: number | null) =>
  returns.find((row) => !row.told && row.amount === amount)

/** What all chargebacks of a payment have taken. */
export const sumTaken = (chargebacks: readonly ReturnRow[]) =>
  chargebacks.filter(isActive).reduce((sum, { amount }) => sum + amount, 0)

/** What has left of a payment by refunds, ours and those past us; a chargeback may take it again. */
export const sumLeft = (returns: readonly ReturnRow[]) =>
  returns
    .filter(({ kind, state }) => kind !== 'chargeback' && state === 'COMPLETED')
    .reduce((sum, { amount }) => sum + amount, 0)

/**
 * The chargeback that was entered with another amount than the gateway's: sure where both together would be more than was
 * paid. Less than that may be two cases, which stay two.
 */
export function findMistaken(
  chargebacks: readonly ReturnRow[],
  { payment, amount }: { payment: Payment; amount: number },
): ReturnRow | undefined {
  if (sumTaken(chargebacks) + amount <= payment.amount) return undefined
  const distance = (row: ReturnRow) => Math.abs(row.amount - amount)
  return chargebacks
    .filter((row) => !row.told && row.state === 'COMPLETED')
    .toSorted((one, other) => distance(one) - distance(other))[0]
}

/** It is known to the gateway by its own name from here on; nothing moves. */
export async function recognise(
  trx: Transaction,
  row: ReturnRow,
  { name, at }: { name: string; at: Date | null },
): Promise<void> {
  await updateReturn(trx, row.id, { gateway_return_id: name, told: true, ...(at !== null && { happened_at: at }) })
}

/** Another return has its names from here on. @returns the name under which it was entered. */
export async function forgetNames(trx: Transaction, row: ReturnRow): Promise<string | null> {
  await updateReturn(trx, row.id, { gateway_return_id: `entered:${row.id}`, entered_case: null, told: true })
  return row.entered_case
}
