/** Bills as their owners and administrators deal with them. */
import type { AdminBill, Bill } from '@wakestone/contract/sales/pay-later'
import { DomainError } from '@wakestone/contract/errors'
import { csvLine } from '@wakestone/kit/csv'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { type BillRow, countBills, selectAllBills, settleBill, showBill } from '#src/features/sales/bills/service.ts'
import { goOn } from './clock.ts'

export { goOn, handleBills } from './clock.ts'

const rowsAtOnce = 500

/** @throws DomainError `access_denied`, `resource_not_found`; those of `chargeWallet`. */
export async function payBill(
  deps: Pick<Context, 'db' | 'boss' | 'settings'>,
  payment: { userId: string; billId: string; walletId: string | undefined; now: Date },
): Promise<Bill> {
  return inTransaction(deps.db, async (trx) => {
    const paid = await settleBill(trx, payment)
    if (paid === undefined) throw new DomainError('resource_not_found', { resource: 'bill' })
    if (paid.isPaidNow) await goOn(deps, trx, paid.bill)
    return showBill(paid.bill)
  })
}

type Page = { state?: Bill['state'] | undefined; after?: string | undefined; limit: number }

export async function listBills(db: Handle, page: Page): Promise<{ data: AdminBill[]; count: number }> {
  const [rows, count] = await Promise.all([selectAllBills(db, page), countBills(db, page.state)])
  return { data: rows.map(show), count }
}

const show = (row: BillRow): AdminBill => ({ ...showBill(row), user: { id: row.user_id, username: row.username } })

const columns = ['id', 'user', 'state', 'amount', 'currency', 'product', 'made', 'due', 'paid'] as const

/** All bills as CSV, read page by page. Amounts are minor units. */
export async function* exportBills(db: Handle): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: string | undefined
  do {
    const rows = (await selectAllBills(db, { after, limit: rowsAtOnce })).map(show)
    yield rows
      .map((bill) =>
        csvLine([
          bill.id,
          bill.user.username,
          bill.state,
          String(bill.amount.amount),
          bill.amount.currency,
          bill.product_id,
          bill.created_at,
          bill.due_at,
          bill.paid_at ?? '',
        ]),
      )
      .join('')
    after = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}
