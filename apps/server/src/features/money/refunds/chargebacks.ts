/**
 * What a gateway says of chargebacks, by its notifications and its list of a day. In any order and any number: what is
 * known already changes nothing, and what was entered from a letter is put right.
 */
import type { GatewayChargeback, Movement } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import { lockTransaction } from '#src/features/money/payments/service.ts'
import { findEntered, findMistaken, forgetNames, recognise } from './entered.ts'
import type { Handled } from './handle.ts'
import { putBack, requireLocked, takeReturn } from './money.ts'
import { findPaymentByNames, type Payment } from './payments-repo.ts'
import { findReturnsOfOrder, insertReturn, newReturnId, type ReturnRow, updateReturn } from './repo.ts'
import { noteEnd, tellReturned, tellTaken, toldOf } from './telling.ts'

type Deps = Pick<Context, 'db' | 'logger'>

export async function handleChargeback(
  { db, logger }: Deps,
  gateway: string,
  {
    chargeback,
    isListed = false,
    now,
  }: {
    chargeback: GatewayChargeback
    /** It is a movement in the gateway's list, which has another name there than in messages. */
    isListed?: boolean
    now: Date
  },
): Promise<Handled> {
  const payment = await findPaymentByNames(db, gateway, chargeback)
  const about = { gateway, case: chargeback.chargebackId, amount: chargeback.amount, payment: chargeback.paymentId }
  if (payment === undefined) return 'unknown payment'
  const isOtherCurrency = chargeback.currency !== null && chargeback.currency !== payment.currency
  if (isOtherCurrency || (chargeback.status === 'taken' && chargeback.amount === null)) {
    logger.error(about, 'CHARGEBACK MISMATCH: no amount, or another currency than the payment')
    return 'mismatch'
  }
  return inTransaction(db, async (trx) => {
    await lockTransaction(trx, payment.depositId)
    const known = (await findReturnsOfOrder(trx, payment.orderId)).filter(({ kind }) => kind === 'chargeback')
    const same = known.find(({ gateway_return_id }) => gateway_return_id === chargeback.chargebackId)
    if (same !== undefined) {
      const isEntered = chargeback.status === 'taken' && !same.told && same.state === 'COMPLETED'
      return isEntered ? handleEntered(trx, same, { payment, chargeback, now }) : 'unchanged'
    }
    return chargeback.status === 'taken'
      ? take(trx, { payment, chargeback, known, now })
      : giveAgain(trx, { payment, chargeback, known, isListed, now })
  })
}

type Case = { payment: Payment; chargeback: GatewayChargeback; known: readonly ReturnRow[]; now: Date }

async function take(trx: Transaction, { payment, chargeback, known, now }: Case): Promise<Handled> {
  const { at } = chargeback
  const amount = chargeback.amount ?? payment.amount
  // We heard first that it was won; of one win, one.
  const won = known.find(
    (row) =>
      row.transaction_id === null &&
      row.returned_case === null &&
      row.amount === amount &&
      !isBefore(row.happened_at, at),
  )
  if (won !== undefined && won.gateway_return_id !== null) {
    await updateReturn(trx, won.id, { returned_case: won.gateway_return_id })
    await noteWon(trx, { payment, chargeback, returnedCase: won.gateway_return_id, now })
    return 'unchanged'
  }
  const entered = findEntered(known, amount) ?? findMistaken(known, { payment, amount })
  if (entered !== undefined) return handleEntered(trx, entered, { payment, chargeback, now })
  await takeTold(trx, { payment, chargeback, now })
  return 'applied'
}

/** What was entered from a letter is as the gateway says: of another amount it is taken anew, by its own name. */
async function handleEntered(trx: Transaction, row: ReturnRow, { payment, chargeback, now }: Told): Promise<Handled> {
  const { chargebackId, at } = chargeback
  const amount = chargeback.amount ?? payment.amount
  if (row.amount === amount) {
    await recognise(trx, row, { name: chargebackId, at })
    return 'unchanged'
  }
  const entered = await requireLocked(trx, row.id)
  await endReturned(trx, { row: entered, payment, reason: 'another amount at the provider', now })
  const enteredCase = await forgetNames(trx, entered)
  const id = await takeTold(trx, { payment, chargeback, now })
  await updateReturn(trx, id, { entered_case: enteredCase })
  return 'applied'
}

type Told = Omit<Case, 'known'>

async function takeTold(trx: Transaction, { payment, chargeback, now }: Told): Promise<string> {
  const { chargebackId: gatewayReturnId, at: happenedAt } = chargeback
  const amount = chargeback.amount ?? payment.amount
  const reason = chargeback.reason ?? 'chargeback'
  const taking = { kind: 'chargeback', payment, amount, reason, gatewayReturnId, happenedAt, now } as const
  const { id, owed } = await takeReturn(trx, taking)
  await tellTaken(trx, { id, payment, amount }, { owed, reason, isChargeback: true })
  return id
}

async function endReturned(
  trx: Transaction,
  { row, payment, reason, now }: { row: ReturnRow; payment: Payment; reason: string; now: Date },
): Promise<void> {
  const told = toldOf(row, payment)
  await putBack(trx, { row, payment, reason, now })
  await noteEnd(trx, told, { reason, outcome: 'RETURNED' })
  await tellReturned(trx, told)
}

async function giveAgain(
  trx: Transaction,
  { payment, chargeback, known, isListed, now }: Case & { isListed: boolean },
): Promise<Handled> {
  const { chargebackId, amount, at } = chargeback
  if (known.some((row) => isReturnedAs(row, chargebackId))) return 'unchanged'
  const isOf = (row: ReturnRow) =>
    row.transaction_id !== null &&
    (amount === null || row.amount === amount) &&
    // When one was entered by hand tells nothing of when it happened.
    (!row.told || !isBefore(at, row.happened_at))
  const name = isListed ? { returned_movement: chargebackId } : { returned_case: chargebackId }
  const hasNone = (row: ReturnRow) => (isListed ? row.returned_movement : row.returned_case) === null
  // Of one that was given back already, this may be the other name.
  const over = known.find((row) => row.state === 'RETURNED' && hasNone(row) && isOf(row))
  if (over !== undefined) {
    await updateReturn(trx, over.id, name)
    return 'unchanged'
  }
  const taken = known.find((row) => row.state === 'COMPLETED' && isOf(row))
  if (taken === undefined) {
    await noteWon(trx, { payment, chargeback, now })
    return 'unchanged'
  }
  const row = await requireLocked(trx, taken.id)
  await endReturned(trx, { row, payment, reason: chargeback.reason ?? 'won', now })
  await updateReturn(trx, row.id, name)
  return 'applied'
}

const isReturnedAs = ({ returned_case, returned_movement }: ReturnRow, name: string) =>
  returned_case === name || returned_movement === name

/** The chargeback that a movement of the gateway's list gave back; from here on it is that of no other movement. */
export async function findReturnedBy(
  db: Db,
  gateway: string,
  { id, paymentId, orderId, amount }: Movement,
): Promise<ReturnRow | undefined> {
  const payment = await findPaymentByNames(db, gateway, { paymentId, orderId, externalId: null })
  if (payment === undefined) return undefined
  return inTransaction(db, async (trx) => {
    await lockTransaction(trx, payment.depositId)
    const known = (await findReturnsOfOrder(trx, payment.orderId)).filter(
      ({ kind, state }) => kind === 'chargeback' && state === 'RETURNED',
    )
    // A case that was only noted has taken nothing, and has nothing to give back.
    const hasTaken = (row: ReturnRow) =>
      row.transaction_id !== null || (row.returned_case !== null && row.returned_case !== row.gateway_return_id)
    const same = known.find((row) => hasTaken(row) && isReturnedAs(row, id))
    if (same !== undefined) return same
    const free = known.find((row) => hasTaken(row) && row.returned_movement === null && row.amount === amount)
    if (free !== undefined) await updateReturn(trx, free.id, { returned_movement: id })
    return free
  })
}

/**
 * A case that moved nothing, or of whose taking we have not heard: should that come, it is over already.
 * @param returnedCase of a taking that is over: the case that was won.
 */
async function noteWon(
  trx: Transaction,
  { payment, chargeback, returnedCase, now }: Told & { returnedCase?: string },
): Promise<void> {
  await insertReturn(trx, {
    id: await newReturnId(trx),
    kind: 'chargeback',
    state: 'RETURNED',
    payment,
    amount: chargeback.amount ?? payment.amount,
    credit: 0,
    gatewayReturnId: chargeback.chargebackId,
    happenedAt: chargeback.at,
    reason: chargeback.reason ?? 'won',
    askedBy: null,
    transactionId: null,
    returnedCase,
    now,
  })
}

/** Whether a moment is known to be before another. */
const isBefore = (one: Date | null, other: Date | null) => one !== null && other !== null && one < other
