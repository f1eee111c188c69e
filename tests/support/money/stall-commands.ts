/** Owners of servers sell to their players, who have no account: what is paid is the owners', and may go back. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { enterChargeback, settlePaymentReturn } from '@wakestone/contract/money/payment-returns-routes'
import { topUpWallet } from '@wakestone/contract/money/wallets-routes'
import { createShopOrder } from '@wakestone/contract/sales/shop-front-routes'
import { changeShop, createShopItem, refundShopOrder } from '@wakestone/contract/sales/shop-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { order } from '../servers.ts'
import type { Command, Step } from './command.ts'
import { type Customer, outcomeOf } from './model.ts'
import type { RefundFault } from './payments.ts'
import { day, lengthOf } from './rules.ts'
import { readReturns } from './settling.ts'
import { awayOf, expectPaidWithin, type Stall, type StallSale, takeFromStall, verifyStall } from './stalls.ts'
import type { World } from './world.ts'

const patienceMilliseconds = 90_000
const player = 'Steve'

/** A server of somebody's own, paid for a year with money that is spent on just that, and its shop. */
async function openStall(world: World): Promise<Stall> {
  const keeper = await world.signUp()
  const wallet = keeper.wallets.PLN
  const amount = world.shop.priceOf('GRASS', '8760h', 'PLN', { place: 'PL' })
  await world.admin.call(topUpWallet, {
    params: { id: wallet },
    body: { amount, reason: 'for a server', refundable: true },
    idempotencyKey: randomUUID(),
  })
  const { id } = await keeper.call(createServer, {
    body: order(wallet, world.engineVersion, { billing_period: '8760h' }),
    idempotencyKey: randomUUID(),
  })
  await world.client.query(
    `insert into player_sessions (server_id, name, joined_at, left_at) values ($1, $2, now(), now())`,
    [id, player],
  )
  const params = { id }
  const seller = { name: 'Ola', address: 'Polna 1', email: 'ola@example.test', tax_id: '' }
  await keeper.call(changeShop, {
    params,
    body: { open: true, title: 'Stall', currency: 'PLN', seller, rules_confirmed: true },
  })
  const commands = [
    { stage: 'purchase', command: 'give {player} bread {quantity}' },
    { stage: 'purchase', command: 'say thanks {player}', needs_player: false },
    { stage: 'refund', command: 'clear {player} bread' },
  ] as const
  const price = 2000
  const { items } = await keeper.call(createShopItem, {
    params,
    body: { name: 'Bread', price, commands: [...commands] },
  })
  const expires = world.now() + lengthOf('8760h') - 2 * day
  return { keeper, serverId: id, itemId: items.at(-1)!.id, price, expires, sales: [] }
}

async function stallOf({ world, customer }: Step): Promise<Stall> {
  const latest = customer.stalls.at(-1)
  if (latest !== undefined && latest.expires > world.now()) return latest
  const opened = await openStall(world)
  customer.stalls.push(opened)
  return opened
}

const sell: Command = {
  name: 'sell in a shop',
  weight: 7,
  async run(step) {
    const { world, random, note } = step
    const stall = await stallOf(step)
    const provider = random.pick(['payu', 'payu', 'paynow', 'paypal'] as const)
    const quantity = 1 + random.below(4)
    const amount = stall.price * quantity
    const choice = random.next()
    note(`${amount} by ${provider}, ${choice < 0.85 ? 'paid' : 'left'}`)
    const idempotencyKey = randomUUID()
    const body = { item_id: stall.itemId, player, quantity, email: 'buyer@example.test', total: amount, provider }
    const ask = () =>
      stall.keeper.call(createShopOrder, {
        params: { server: stall.serverId },
        body: { ...body, begins_now: true },
        idempotencyKey,
      })
    const begun = world.now()
    const answers = await Promise.all(Array.from({ length: random.chance(0.2) ? 3 : 1 }, ask))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    const [{ id, redirect_url: where }] = answers as [(typeof answers)[number]]
    const transactionId = (await readOrder(world, id)).transaction_id
    const isPaid = () => world.providers.paidFor(transactionId).length > 0
    // It may be paid before the answer came; and providers end what nobody has paid in time, by the machine's clock.
    if (!isPaid()) {
      const open = world.providers
        .paymentsOf(transactionId)
        .find((one) => one.isOpen() && where?.includes(one.id) === true)
      if (choice >= 0.85 || open === undefined) return
      open.pay()
    }
    const paidAt = await untilPaid(world, { orderId: id, transactionId })
    const paid = [begun, world.now()] as const
    expectPaidWithin(paidAt, paid)
    const [payment] = world.providers.paidFor(transactionId)
    if (payment === undefined) throw new Error(`paid by nobody: ${id}`)
    stall.sales.push({
      orderId: id,
      transactionId,
      amount,
      payment,
      paid,
      isHeld: true,
      base: 0,
      share: 0,
      shareBack: 0,
      returns: [],
    })
    await verifyStall(world, stall)
  },
}

async function readOrder({ client }: Pick<World, 'client'>, id: string) {
  const { rows } = await client.query<{ transaction_id: string; paid_at: Date | null }>(
    'select transaction_id, paid_at from shop_orders where id = $1',
    [id],
  )
  return rows[0]!
}

async function untilPaid(world: World, { orderId, transactionId }: Pick<StallSale, 'orderId' | 'transactionId'>) {
  const end = performance.now() + patienceMilliseconds
  for (let looks = 0; ; looks++) {
    const { paid_at: at } = await readOrder(world, orderId)
    if (at !== null) return at
    const isTold = !world.providers.isTelling(world.providers.paymentsOf(transactionId))
    if (isTold || looks % 10 === 0)
      await world.workOnce(isTold && looks % 2 === 0 ? [transactionId] : []).catch(() => undefined) // done again after a crash
    if (performance.now() > end) throw new Error(`paid in a shop, and not heard of: ${orderId}`)
    await delay(Math.min(50, 4 + looks))
  }
}

type Sold = { stall: Stall; sale: StallSale }
const soldBy = ({ stalls }: Customer): Sold[] => stalls.flatMap((stall) => stall.sales.map((sale) => ({ stall, sale })))
const untouched = (customer: Customer) => soldBy(customer).filter(({ sale }) => sale.returns.length === 0)
/** The shop is there for its owner, who has the money by then or still holds it. */
const refundable = ({ world, customer }: Step) =>
  untouched(customer).filter(({ stall, sale }) => sale.isHeld && stall.expires > world.now())

const refund: Command = {
  name: 'a shop gives money back',
  weight: 5,
  when: (step) => refundable(step).length > 0,
  async run(step) {
    const { world, random, note } = step
    const { stall, sale } = random.pick(refundable(step))
    const fault: RefundFault = random.chance(0.5) ? 'none' : random.pick(['cut', 'error'] as const)
    note(`${sale.amount} at ${sale.payment.gateway}, which does ${fault}`)
    sale.payment.setRefundFault(fault, random.chance(0.3))
    const ask = () =>
      outcomeOf(
        stall.keeper.call(refundShopOrder, {
          params: { id: stall.serverId, order_id: sale.orderId },
          body: { reason: 'asked for it' },
        }),
      )
    await verifyStall(world, stall)
    const outcomes = await Promise.all([ask(), ask()])
    expect(outcomes).toContain('done')
    for (const outcome of outcomes) expect(['done', 'refund_exceeds_payment']).toContain(outcome)
    const end = performance.now() + patienceMilliseconds
    for (let looks = 0; ; looks++) {
      const made = await readReturns(world, [sale.transactionId])
      expect(made).toHaveLength(1)
      if (made[0]!.finished_at !== null) {
        expect([made[0]!.state, made[0]!.amount]).toEqual(['COMPLETED', sale.amount])
        takeFromStall(sale, { id: made[0]!.id, kind: 'refund', amount: sale.amount })
        break
      }
      // What a provider does wrong passes, or nothing would ever end.
      if (looks % 4 === 3) sale.payment.setRefundFault('none')
      await world.sendRefunds()
      if (performance.now() > end) throw new Error(`a refund that never ends: ${JSON.stringify(made)}`)
    }
    await verifyStall(world, stall)
  },
}

const chargeback: Command = {
  name: 'a bank takes back what a shop has sold',
  weight: 5,
  when: ({ customer }) => untouched(customer).length > 0,
  async run({ world, customer, random, note }) {
    const { stall, sale } = random.pick(untouched(customer))
    await verifyStall(world, stall)
    const amount = random.chance(0.7) ? sale.amount : 1 + random.below(sale.amount)
    note(`${amount} of ${sale.amount} at ${sale.payment.gateway}, ${sale.isHeld ? 'held' : 'released'}`)
    world.providers.takeByLetter(sale.payment, amount)
    const body = { kind: 'chargeback', amount, reason: 'a letter', case_id: `CB-${randomUUID()}` } as const
    const ask = () => world.admin.call(enterChargeback, { params: { id: sale.transactionId }, body })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(other.id).toBe(one.id)
    takeFromStall(sale, { id: one.id, kind: 'chargeback', amount })
    await verifyStall(world, stall)
  },
}

const taken = (customer: Customer) =>
  soldBy(customer).flatMap(({ stall, sale }) =>
    sale.returns.flatMap((made) =>
      made.kind === 'chargeback' && made.state === 'gone' ? [{ stall, sale, made }] : [],
    ),
  )

const win: Command = {
  name: 'what a bank took of a shop is won',
  weight: 4,
  when: ({ customer }) => taken(customer).length > 0,
  async run({ world, customer, random, note }) {
    const { stall, sale, made } = random.pick(taken(customer))
    note(`${made.amount} of ${sale.amount}, of which ${awayOf(sale)} is away`)
    await verifyStall(world, stall)
    world.providers.takeByLetter(sale.payment, -made.amount)
    const settleIt = () =>
      world.admin.call(settlePaymentReturn, {
        params: { id: made.id },
        body: { outcome: 'RETURNED', reason: 'a letter of the bank' },
      })
    await Promise.all([settleIt(), settleIt()])
    made.state = 'back'
    await verifyStall(world, stall)
  },
}

export const stallCommands: readonly Command[] = [sell, refund, chargeback, win]
