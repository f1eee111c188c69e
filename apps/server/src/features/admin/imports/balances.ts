/** What customers have paid in elsewhere, as the first entry of their wallets here. */
import { type Currency, walletCurrencies } from '@wakestone/contract/primitives'
import { openBalance } from '#src/features/money/openings/service.ts'
import type { AccountIds } from './accounts.ts'
import { minorUnits } from './amounts.ts'
import type { FoundBalance } from './model.ts'
import type { Line } from './report.ts'
import { outcomeOf, type Work } from './work.ts'

const isCurrency = (text: string): text is Currency => (walletCurrencies as readonly string[]).includes(text)

/** As the customer reads it in the statement. */
export const openingReason = (system: string) => `Balance brought along from ${systemNames[system] ?? system}`
const systemNames: Readonly<Record<string, string>> = { whmcs: 'WHMCS', paymenter: 'Paymenter' }

export async function bringBalances(
  work: Work,
  found: readonly FoundBalance[],
  { ids, emails }: { ids: AccountIds; emails: ReadonlyMap<string, string> },
): Promise<void> {
  for (const balance of found) {
    const line = await bringBalance(work, balance, { ids, name: emails.get(balance.accountKey) ?? balance.accountKey })
    if (line !== undefined) work.lines.push(line)
  }
}

/** Undefined: there is nothing to bring. */
async function bringBalance(
  work: Work,
  balance: FoundBalance,
  { ids, name }: { ids: AccountIds; name: string },
): Promise<Line | undefined> {
  const { currency, accountKey } = balance
  const line = { kind: 'balance', key: balance.key, name: `${name} ${balance.amount} ${currency}`, notes: [] } as const
  const leftOut = (reason: string): Line => ({ ...line, notes: [], outcome: 'left out', reason })
  const before = work.known('balance', balance.key)
  if (before !== undefined) return { ...line, notes: [], outcome: outcomeOf(before, balance.row), id: before.made }
  const amount = minorUnits(balance.amount)
  if (amount === 0) return undefined
  if (amount === undefined) return leftOut('it is no amount of whole minor units')
  if (amount < 0) return leftOut('it is below zero: settle it there')
  if (!isCurrency(currency)) return leftOut(`there are no wallets in ${currency}`)
  if (!ids.has(accountKey)) return leftOut('its account did not come along')
  if (work.options.isDryRun) return { ...line, notes: [], outcome: 'made' }
  const userId = ids.get(accountKey)
  if (userId === undefined) throw new Error('a balance of nobody')
  const { id } = await work.bring({ kind: 'balance', key: balance.key, row: balance.row }, async (trx, itemId) => {
    const reason = openingReason(work.options.system)
    const transactionId = await openBalance(trx, { userId, currency, amount, key: itemId, reason })
    return { id: transactionId, details: { userId, currency, amount } }
  })
  return { ...line, notes: [], outcome: 'made', id }
}
