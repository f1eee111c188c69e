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

/** What has left of a payment by refunds, ours and those past us, or is about to; a chargeback may take it again. */
export const sumLeft = (returns: readonly ReturnRow[]) =>
  returns.filter((row) => row.kind !== 'chargeback' && isActive(row)).reduce((sum, { amount }) => sum + amount, 0)

/**
 * Those of which no letter has told yet: of an amount, or of any. One that is away comes before one that was given back
 * by the time of its letter, which has to be of the amount.
 */
export function findUnnamed(returns: readonly ReturnRow[], amount: number | null): ReturnRow | undefined {
  const unnamed = returns.filter((row) => row.entered_case === null)
  const away = unnamed.filter(({ state }) => state === 'COMPLETED')
  if (amount === null) return away[0]
  const isOver = (row: ReturnRow) =>
    row.state === 'RETURNED' && row.told && row.transaction_id !== null && !isReplaced(row)
  return [...away, ...unnamed.filter(isOver)].find((row) => row.amount === amount)
}

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

const replacedName = ({ id }: ReturnRow) => `entered:${id}`
const isReplaced = (row: ReturnRow) => row.gateway_return_id === replacedName(row)

/** Another return has its names from here on. @returns the name under which it was entered. */
export async function forgetNames(trx: Transaction, row: ReturnRow): Promise<string | null> {
  const name = replacedName(row)
  const nobodys = { gateway_return_id: name, returned_case: name, returned_movement: name }
  await updateReturn(trx, row.id, { ...nobodys, entered_case: null, told: true })
  return row.entered_case
}
