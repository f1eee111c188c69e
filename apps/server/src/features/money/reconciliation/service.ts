/**
 * Compares what a payment gateway says of a day with our ledger and transactions, and makes good what asking again can.
 * A gateway with a list of its movements is compared by that list, so that money we know nothing of is found too; one
 * without is asked about each payment that we know.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Difference, Reconciliation } from '@wakestone/contract/money/reconciliation'
import {
  type GatewayId,
  gatewayNames,
  type GatewayOrder,
  GatewayUnavailable,
  type Movement,
  type PaymentGateway,
} from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import { findAdministratorIds } from '#src/features/ground/notifications/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { listUnknownOrders, listUnknownReturns } from '#src/features/money/provider-messages/service.ts'
import { pollOrder } from '#src/features/money/payments/service.ts'
import {
  type EndedRefund,
  findReturnOf,
  handleAnswer,
  handleMovement,
  listEndedRefunds,
} from '#src/features/money/refunds/service.ts'
import {
  compareCapture,
  compareMovement,
  compareOrder,
  compareRefund,
  compareUnknownOrder,
  compareUnknownReturn,
} from './compare.ts'
import {
  findLines,
  findOrderByNames,
  findOrdersToCompare,
  findOurOrder,
  findReport,
  findReports,
  type OurOrder,
  type ReportRow,
  saveReport,
} from './repo.ts'

/** How long after it began a payment that is not credited is still asked about: gateways settle some in days. */
const patienceDays = 4
/** The same where it was we who stopped waiting: PayNow leaves a payment open for ten days. */
const longPatienceDays = 11
/** Questions that are open at a gateway at the same time. */
const questions = 4
const dayMilliseconds = 86_400_000

type Run = {
  now: Date
  context: Context
  gateway: PaymentGateway
  lines: Difference[]
  compared: number
  unanswered: number
}

/**
 * Compares one day of one gateway and stores the report in place of an earlier one.
 * @param day any moment of it, in UTC.
 * @returns id of the report.
 */
export async function reconcileDay(
  context: Context,
  gateway: PaymentGateway,
  { day, now }: { day: Date; now: Date },
): Promise<string> {
  const run: Run = { now, context, gateway, lines: [], compared: 0, unanswered: 0 }
  const from = new Date(day.toISOString().slice(0, 10))
  const until = new Date(from.getTime() + dayMilliseconds)
  const movements = await listMovements(run, from)
  const orders = await findOrdersToCompare(
    context.db,
    { gateway: gateway.id, from, until },
    { patienceDays, longPatienceDays },
  )
  const listed = new Map((movements ?? []).filter(({ kind }) => kind === 'capture').map((one) => [one.id, one]))

  await eachOf(orders, async (ours) => {
    const capture = ours.paymentId === null ? undefined : listed.get(ours.paymentId)
    if (capture === undefined) return compareByAsking(run, ours)
    listed.delete(capture.id)
    run.compared++
    note(run, compareCapture(ours, capture))
  })
  // Money that came in there on that day, but was not credited here on that day.
  await eachOf([...listed.values()], (capture) => compareListed(run, capture))
  await eachOf(
    (movements ?? []).filter(({ kind }) => kind !== 'capture'),
    (movement) => compareReturn(run, movement),
  )
  // And the other way: what we say has gone back, by asking about each.
  await eachOf(await listEndedRefunds(context.db, { gateway: gateway.id, from, until }), (refund) =>
    compareByAskingBack(run, refund),
  )
  // Where there is no list, the messages of the day are all that tells of money we know nothing of.
  if (movements === undefined) {
    for (const order of await listUnknownOrders(context.db, gateway, { from, until }))
      note(run, compareUnknownOrder(order))
    for (const event of await listUnknownReturns(context.db, gateway, { from, until }))
      note(run, compareUnknownReturn(event))
  }
  return finish(run, { day: from, now, method: movements === undefined ? 'each' : 'list' })
}

async function listMovements({ context, gateway }: Run, day: Date): Promise<Movement[] | undefined> {
  try {
    return await gateway.listMovements?.(day)
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    context.logger.warn({ error, gateway: gateway.id }, 'a gateway does not list its movements; asked about each')
    return undefined
  }
}

const refOf = ({ orderId, externalId, paymentId, currency }: OurOrder) => ({ orderId, externalId, paymentId, currency })

async function compareByAsking(run: Run, ours: OurOrder): Promise<void> {
  const { context, gateway } = run
  let theirs: GatewayOrder | undefined
  try {
    theirs = await gateway.findOrder(refOf(ours))
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    context.logger.warn({ error, gateway: gateway.id, order: ours.orderId }, 'a gateway cannot be asked to compare')
    run.unanswered++
    return
  }
  run.compared++
  // No difference yet: the money waits for us to take it.
  if (ours.credited === null && theirs?.status === 'authorized') await heal(run, ours)
  const difference = compareOrder(ours, theirs)
  if (difference === undefined || ours.credited !== null) return note(run, difference)
  note(run, { ...difference, healed: await heal(run, ours) })
}

async function compareListed(run: Run, capture: Movement): Promise<void> {
  run.compared++
  const names = { paymentId: capture.id, orderId: capture.orderId, externalId: capture.externalId }
  const ours = await findOrderByNames(run.context.db, run.gateway.id, names)
  if (ours === undefined) return note(run, compareMovement(capture, undefined))
  const difference = compareCapture(ours, capture)
  if (difference === undefined || ours.credited !== null) return note(run, difference)
  note(run, { ...difference, healed: await heal(run, ours) })
}

/** What went back or came back there: booked here, where nobody has told us. */
async function compareReturn(run: Run, movement: Movement): Promise<void> {
  const { context, gateway, now } = run
  run.compared++
  const ours = await findReturnOf(context.db, gateway.id, movement)
  // It is under way here, and has left there: no difference, only news.
  if (ours !== undefined && !ours.isOver) await handleMovement(context, gateway.id, movement, now)
  const difference = compareMovement(movement, ours)
  if (difference === undefined || ours !== undefined) return note(run, difference)
  const healed = await handleMovement(context, gateway.id, movement, now)
  const depositId = (await findReturnOf(context.db, gateway.id, movement))?.depositId ?? null
  note(run, { ...difference, transaction_id: depositId, healed })
}

async function compareByAskingBack(run: Run, ours: EndedRefund): Promise<void> {
  const { context, gateway, now } = run
  if (gateway.findRefund === undefined) return
  const names = { refundId: ours.gatewayReturnId, externalId: ours.id, order: ours.order }
  try {
    const theirs = await gateway.findRefund(names)
    run.compared++
    const difference = compareRefund(ours, theirs)
    if (difference === undefined || theirs === undefined) return note(run, difference)
    note(run, { ...difference, healed: await handleAnswer(context, gateway.id, theirs, now) })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    context.logger.warn({ error, gateway: gateway.id, refund: ours.id }, 'a gateway cannot be asked about a refund')
    run.unanswered++
  }
}

/** Asks the gateway as a poll does, which credits what is ours. @returns whether it is credited now. */
async function heal({ context, gateway }: Run, ours: OurOrder): Promise<boolean> {
  try {
    await pollOrder(context, gateway, refOf(ours))
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
  }
  return ((await findOurOrder(context.db, gateway.id, ours.id))?.credited ?? null) !== null
}

function note(run: Run, difference: Difference | undefined): void {
  // An order that is compared by two ways is told of once.
  const isKnown = run.lines.some(
    (line) =>
      difference !== undefined &&
      line.movement === difference.movement &&
      line.gateway_id === difference.gateway_id &&
      line.order_id === difference.order_id,
  )
  if (difference !== undefined && !isKnown) run.lines.push(difference)
}

async function finish(
  { context, gateway, lines, compared, unanswered }: Run,
  { day, now, method }: { day: Date; now: Date; method: 'list' | 'each' },
): Promise<string> {
  const open = lines.filter(({ healed }) => !healed).length
  const state = open > 0 ? 'differs' : unanswered > 0 ? 'incomplete' : 'clean'
  const sums = { compared, healed: lines.length - open, open, unanswered }
  const about = { gateway: gateway.id, day: day.toISOString().slice(0, 10), state, method, ...sums } as const
  const id = await inTransaction(context.db, async (trx) => {
    const saved = await saveReport(trx, { ...about, finishedAt: now, lines })
    if (open > 0) await tellAdministrators(trx, about)
    return saved
  })
  if (open > 0) context.logger.error(about, 'RECONCILIATION: a payment gateway and our books differ')
  else context.logger.info(about, 'a payment gateway was compared with our books')
  return id
}

/** Once for each number of differences of a day, however often it is compared. */
async function tellAdministrators(
  trx: Transaction,
  { gateway, day, open }: Pick<Reconciliation, 'gateway' | 'day' | 'open'>,
): Promise<void> {
  const fields = { provider: gatewayNames[gateway as GatewayId] ?? gateway, day, differences: open }
  const dedupeKey = `PAYMENTS_DIFFER ${gateway} ${day} ${open}`
  for (const userId of await findAdministratorIds(trx)) {
    await notify(trx, { userId, kind: 'PAYMENTS_DIFFER', fields, dedupeKey })
  }
}

async function eachOf<Item>(items: readonly Item[], ask: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: questions }, async () => {
      for (const item of waiting) await ask(item)
    }),
  )
}

const show = ({ finished_at, ...row }: ReportRow) =>
  ({ ...row, finished_at: finished_at.toISOString() }) as Reconciliation

export async function listReports(db: Db, filter: Parameters<typeof findReports>[1]) {
  const { rows, count } = await findReports(db, filter)
  return { data: rows.map(show), count }
}

/** @throws DomainError `resource_not_found`. */
export async function getReport(db: Db, id: string): Promise<Reconciliation & { lines: Difference[] }> {
  const row = await findReport(db, id)
  if (row === undefined) throw new DomainError('resource_not_found')
  return { ...show(row), lines: await findLines(db, id) }
}
