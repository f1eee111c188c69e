/**
 * Top-ups and purchases while the API is killed at random moments, and while PayU's simulator misbehaves. A customer's
 * client does what a browser does: it asks again, with the same key, until it has its answer. Many customers are at it
 * side by side, so that one kill meets all of them, each somewhere else.
 * `MONEY_CRASH_SEED` repeats a series.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createServer as rentServer } from '@wakestone/contract/servers/servers-routes'
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { findUnsettled } from '../support/money/books.ts'
import { beginKilling } from '../support/money/killing.ts'
import { priceOf } from '../support/money/rules.ts'
import { type Account, createWorld, type World } from '../support/money/world.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { order } from '../support/servers.ts'

const customers = isLong ? 208 : 32
/** So many does each kill meet: more of them cost less than more kills, whose successors take seconds to start. */
const lanes = 32
const killEvery = 16
const deposited = 5000

const steps = ['top up', 'pay', 'rent'] as const
type Step = (typeof steps)[number]

test(`${customers} top-ups and purchases, ${lanes} at once, with ${customers / killEvery} kills of the API`, async () => {
  const seed = seedOf('MONEY_CRASH_SEED')
  const random = createRandom(seed)
  await using world = await createWorld({ seed })
  const accounts: Account[] = []
  for (let made = 0; made < customers; made++) accounts.push(await world.signUp())
  const killing = await beginKilling(world, { spares: 2 })
  const under = new Map<number, Step>()
  /** In which step kills met customers. */
  const met: Record<Step, number> = { 'top up': 0, pay: 0, rent: 0 }
  const kills: Promise<void>[] = []

  let begun = 0
  const lane = async (own: number) => {
    while (begun < customers) {
      const number = begun++
      // The moment: some milliseconds after this customer has begun one of the steps.
      const moment = number % killEvery === 0 ? random.pick(steps) : undefined
      const wait = Math.floor(random.next() ** 2 * 120)
      const customer = accounts[number]
      if (customer === undefined) throw new Error('no such customer')
      await topUpAndRent(world, customer, (step) => {
        under.set(own, step)
        if (step !== moment) return
        kills.push(killing.killApi(wait, () => [...under.values()].forEach((one) => met[one]++)))
      })
      under.delete(own)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, own) => lane(own)))
  await Promise.all(kills)

  world.providers.clearFaults()
  const unsettled = await findUnsettled(world)
  await killing.end()
  console.log({ kills: killing.kills(), met, payments: world.providers.paid().length })
  expect(killing.kills().api).toBe(customers / killEvery)
  // Kills that find nobody at anything would prove little.
  expect(met['top up'] + met.pay + met.rent).toBeGreaterThan(customers)
  expect(unsettled).toEqual([])
  expect(await findLedgerFaults(world.client)).toEqual({})
  expect(await findWrongWallets(world)).toEqual([])
  expect(await findWrongServers(world)).toEqual([])
}, 600_000)

async function topUpAndRent(world: World, customer: Account, begin: (step: Step) => void): Promise<void> {
  begin('top up')
  const wallet = customer.wallets.PLN
  const keys = { deposit: randomUUID(), purchase: randomUUID() }
  const body = {
    action: 'DEPOSIT' as const,
    provider: 'payu' as const,
    wallet_id: wallet,
    amount: deposited,
    currency: 'PLN',
  }
  const begun = await customer.call(createTransaction, { body, idempotencyKey: keys.deposit })
  begin('pay')
  // Without an address to go to, it was paid before the answer came.
  if (begun.redirect_url !== null)
    world.providers.payu.pay(new URL(begun.redirect_url).searchParams.get('orderId') ?? '')
  for (let looks = 1; ; looks++) {
    const { status } = await customer.call(getTransaction, { params: { id: begun.id } })
    if (status === 'COMPLETED') break
    if (status === 'FAILED' || status === 'CANCELLED') throw new Error(`a paid top-up is ${status}`)
    if (looks > 1200) throw new Error(`a paid top-up is still ${status}`)
    await delay(100)
    // Whoever waits for a message that was lost is not to wait for the worker's next turn as well.
    if (looks % 5 === 0) await world.hurry([begun.id])
  }
  begin('rent')
  await customer.call(rentServer, { body: order(wallet, world.engineVersion), idempotencyKey: keys.purchase })
}

/** Every order that was paid is in its wallet, a server's price is not any more, and nothing else moved. */
async function findWrongWallets({ client }: World): Promise<unknown[]> {
  const { rows } = await client.query(
    `select w.id, a.posted::int, count(distinct o.id)::int as paid_orders, count(distinct s.id)::int as servers
     from wallets w join ledger_accounts a on a.id = w.ledger_account_id
     left join transactions t on t.wallet_id = w.id and t.action = 'DEPOSIT'
     left join payment_orders o on o.transaction_id = t.id and o.state = 'paid'
     left join services v on v.wallet_id = w.id
     left join servers s on s.service_id = v.id
     where w.currency = 'PLN' group by w.id, a.posted
     having a.posted <> count(distinct o.id) * $1 - count(distinct s.id) * $2`,
    [deposited, priceOf('GRASS', '720h', 'PLN')],
  )
  return rows
}

/** Every customer has one server, which is paid for; nothing else was paid. */
async function findWrongServers({ client, admin }: World): Promise<unknown[]> {
  const { rows } = await client.query(
    `select v.id as service, s.id as server, l.id as posting from services v
     full join servers s on s.service_id = v.id
     full join (select * from ledger_transactions where scope = 'purchase') l on l.key = v.id::text
     where v.id is null or s.id is null or l.id is null
     union all
     select u.id, null, null from users u left join services v on v.owner_id = u.id
     where u.id <> $1 group by u.id having count(v.id) <> 1`,
    [admin.userId],
  )
  return rows
}
