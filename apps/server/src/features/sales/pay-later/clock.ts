/**
 * What time does to bills: reminders, payment from the wallet on the day they are due, and what follows when funds lack.
 * A pass may be killed at any line; the next one does what is left, each thing once.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import {
  type BillRow,
  hasOverdue,
  lockBill,
  selectNear,
  settleBill,
  updateBill,
} from '#src/features/sales/bills/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findRentedServer, reconcileServer } from '#src/features/servers/servers/service.ts'
import { lockService, updateService } from '#src/features/sales/services/service.ts'
import { getWallet } from '#src/features/money/wallets/service.ts'

const day = 24 * 3600_000
/** Before a bill is due, in days. */
const reminders = [1, 3, 7]

type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'logger'>

/** One pass. What fails for one bill does not keep the others waiting. */
export async function handleBills(deps: Deps, now: Date): Promise<void> {
  const before = new Date(now.getTime() + Math.max(...reminders) * day)
  for (const id of await selectNear(deps.db, before)) {
    try {
      await inTransaction(deps.db, (trx) => handle(deps, trx, { id, now }))
    } catch (error) {
      // Funds that were there a moment ago; the next pass looks again.
      if (!(error instanceof DomainError)) deps.logger.warn({ error, bill: id }, 'a bill is not handled yet')
    }
  }
}

async function handle(deps: Deps, trx: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  const bill = await lockBill(trx, id)
  if (bill === undefined || bill.paid_at !== null) return
  const left = bill.due_at.getTime() - now.getTime()
  if (left > 0) return remind(trx, bill, left)
  // Read when its turn comes: being late stays with whoever has paid in meanwhile.
  const { balance } = await getWallet(trx, bill.wallet_id)
  if (balance.amount >= bill.amount) {
    const paid = await settleBill(trx, { billId: id, userId: bill.user_id, now })
    if (paid?.isPaidNow === true) await goOn(deps, trx, paid.bill)
    return
  }
  if (bill.overdue_at === null) await standStill(deps, trx, bill, now)
}

async function remind(trx: Transaction, bill: BillRow, left: number): Promise<void> {
  const days = reminders.find((some) => left <= some * day)
  if (days === undefined) return
  await notify(trx, {
    userId: bill.user_id,
    kind: 'BILL_DUE',
    fields: { amount: moneyOf(bill), days, due: bill.due_at.toISOString() },
    resource: { type: 'service', id: bill.service_id },
    dedupeKey: `bill:${bill.id}:${days}`,
  })
}

const moneyOf = ({ amount, currency }: BillRow) => ({ amount, currency })
const nameOf = (bill: BillRow) => bill.server_name ?? bill.product_id

async function standStill(deps: Deps, trx: Transaction, bill: BillRow, now: Date): Promise<void> {
  await updateBill(trx, bill.id, { overdue_at: now })
  await setStandstill(deps, trx, bill, now)
  const eventId = await recordUserEvent(trx, bill.user_id, {
    action: 'USER_BILL_OVERDUE',
    data: { amount: moneyOf(bill), service_id: bill.service_id },
  })
  await notify(trx, {
    userId: bill.user_id,
    kind: 'BILL_OVERDUE',
    fields: { amount: moneyOf(bill), server: nameOf(bill) },
    resource: { type: 'service', id: bill.service_id },
    eventId,
  })
}

/** Once a bill is paid: its service goes on unless another bill of it is overdue. */
export async function goOn(deps: Pick<Context, 'boss' | 'settings' | 'db'>, trx: Transaction, bill: BillRow) {
  await recordUserEvent(trx, bill.user_id, {
    action: 'USER_BILL_PAID',
    data: { amount: moneyOf(bill), service_id: bill.service_id },
  })
  await notify(trx, {
    userId: bill.user_id,
    kind: 'BILL_PAID',
    fields: { amount: moneyOf(bill), server: nameOf(bill) },
    resource: { type: 'service', id: bill.service_id },
  })
  if (bill.overdue_at !== null && !(await hasOverdue(trx, bill.service_id))) await setStandstill(deps, trx, bill, null)
}

async function setStandstill(
  deps: Pick<Context, 'boss' | 'settings' | 'db'>,
  trx: Transaction,
  { service_id }: BillRow,
  since: Date | null,
): Promise<void> {
  if ((await lockService(trx, service_id)) === undefined) return // what was rented is gone
  await updateService(trx, service_id, { bill_overdue_since: since })
  const server = await findRentedServer({ ...deps, db: trx }, service_id)
  if (server !== undefined) await reconcileServer(deps, trx, server.id)
}
