/** Until what providers took and gave back is in the wallets: by their messages, or by a worker that asks. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { isAsExpected, readWallets } from './comparing.ts'
import { currencies, type Customer, type Deposit, type Purse } from './model.ts'
import type { Payment } from './payments.ts'
import { ifPaid, putBack, settleDebts } from './returns.ts'
import type { Currency } from './rules.ts'
import type { World } from './world.ts'

/** As long as a machine with much else to do may take. */
const patienceMilliseconds = 90_000

/** Ours, and not written down yet. */
const arrivedOf = ({ providers }: World, { id, topUps }: Deposit): Payment[] =>
  providers.paidFor(id).filter((payment) => !topUps.some((one) => one.payment === payment))

const underWay = ({ deposits }: Customer) =>
  deposits.flatMap((deposit) =>
    deposit.returns.flatMap((made) => (made.state === 'under way' && !made.isHeld ? [{ deposit, made }] : [])),
  )

export async function settle(world: World, customer: Customer): Promise<void> {
  const end = performance.now() + patienceMilliseconds
  for (let looks = 0; ; looks++) {
    const open = customer.deposits.filter((one) => !one.settled || arrivedOf(world, one).length > 0)
    const returns = underWay(customer)
    if (open.length === 0 && returns.length === 0) return
    if (looks > 0) {
      const ids = open.map(({ id }) => id)
      const isTold = !world.providers.isTelling(ids.flatMap((id) => world.providers.paymentsOf(id)))
      // Messages first: whoever asks at once learns nothing of what becomes of those.
      const soon = isTold && looks % 2 === 0 ? ids : []
      if (isTold || looks % 10 === 0) await world.workOnce(soon).catch(() => undefined) // done again after a crash
      if (returns.length > 0) {
        // What a provider does wrong passes, or nothing would ever end.
        if (looks % 4 === 0) for (const { deposit } of returns) paymentOf(deposit)?.setRefundFault('none')
        await world.sendRefunds()
        await handleEnds(world, customer, returns)
      }
    }
    if (underWay(customer).length === 0 && (await handlePayments(world, customer, open))) return
    if (performance.now() > end) throw await describe(world, customer, open)
    await delay(Math.min(50, 4 + looks))
  }
}

/** Writes down what came in, once it is all there. */
async function handlePayments(world: World, customer: Customer, open: readonly Deposit[]): Promise<boolean> {
  const arrived = open.flatMap((deposit) => arrivedOf(world, deposit).map((payment) => ({ deposit, payment })))
  const sums = (currency: Currency) =>
    arrived.reduce((sum, { payment }) => sum + (payment.currency === currency ? payment.amount : 0), 0)
  const should = Object.fromEntries(
    currencies.map((currency) => [currency, ifPaid(customer, currency, sums(currency))]),
  ) as Record<Currency, Purse>
  if (!isAsExpected(await readWallets(world, customer), should)) return false
  for (const { deposit, payment } of arrived) {
    const { currency, amount } = deposit
    const made = deposit.topUps.length === 0 ? deposit.made : world.now()
    deposit.topUps.push({ payment, currency, amount, made, lost: 0, earns: undefined })
    customer.purse[currency].balance += amount
  }
  for (const currency of currencies) if (sums(currency) > 0) settleDebts(customer, currency)
  for (const one of open) one.settled = true
  return true
}

/** The payment of a top-up that goes back, if there is just one. */
export const paymentOf = ({ topUps }: Deposit): Payment | undefined => topUps[0]?.payment

type Shown = { id: string; state: string; amount: number; finished_at: Date | null; gateway_return_id: string | null }

/** What the product says of all that goes back of a top-up. */
export async function readReturns({ client }: Pick<World, 'client'>, depositIds: readonly string[]): Promise<Shown[]> {
  const { rows } = await client.query<Shown>({
    name: 'money-returns',
    text: `select id, state, amount::int, finished_at, gateway_return_id from payment_returns where deposit_id = any($1)`,
    values: [depositIds],
  })
  return rows
}

/** Whether refunds have ended: what is not gone from its provider is in the wallet again. */
async function handleEnds(world: World, customer: Customer, returns: ReturnType<typeof underWay>): Promise<void> {
  const all = await readReturns(
    world,
    returns.map(({ deposit }) => deposit.id),
  )
  for (const { deposit, made } of returns) {
    const shown = all.find(({ id }) => id === made.id)
    if (shown === undefined || shown.finished_at === null) continue
    const there = paymentOf(deposit)
      ?.refunds()
      .find(({ name, id }) => name === made.id || id === shown.gateway_return_id)
    const isGone = there?.state === 'gone'
    expect([shown.state, shown.amount], `a refund that ${there?.state ?? 'was never made'} there`).toEqual([
      isGone ? 'COMPLETED' : 'FAILED',
      isGone ? there.amount : made.amount,
    ])
    if (isGone) made.state = 'gone'
    else putBack(customer, deposit, made, world.now())
  }
}

async function describe(world: World, customer: Customer, open: readonly Deposit[]): Promise<Error> {
  const is = await readWallets(world, customer)
  const payments = open.flatMap(({ id }) => world.providers.paymentsOf(id).map((one) => one.describe()))
  const returns = underWay(customer).map(({ deposit, made }) => ({ ...made, of: paymentOf(deposit)?.describe() }))
  const { rows: orders } = await world.client.query(
    `select o.external_id, o.state, o.gateway_order_id, o.polls, o.next_poll_at, o.lease_until, t.status from payment_orders o
     join transactions t on t.id = o.transaction_id where t.id = any($1) order by o.id`,
    [open.map(({ id }) => id)],
  )
  const { rows: messages } = await world.client.query(
    `select state, note, received_at, substr(convert_from(raw, 'UTF8'), 1, 90) as text from gateway_events
     where exists (select from unnest($1::text[]) as id where position(id in convert_from(raw, 'UTF8')) > 0) order by received_at`,
    [open.map(({ id }) => id)],
  )
  const waiting = open.flatMap(({ id }) => (world.providers.isTelling(world.providers.paymentsOf(id)) ? [id] : []))
  const known = { is, should: customer.purse, payments, returns, orders, messages, waiting }
  return new Error(`not what was paid: ${JSON.stringify(known)}`)
}
