/** A shop through the front door: what is refused, what a sale does to the owner's wallet, and what going back does. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listPayments } from '@wakestone/contract/admin/admin-routes'
import * as returns from '@wakestone/contract/money/payment-returns-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { getWallet, listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import type { z } from 'zod'
import type { shopItemBody, shopOrderBody } from '@wakestone/contract/sales/shop'
import * as front from '@wakestone/contract/sales/shop-front-routes'
import * as routes from '@wakestone/contract/sales/shop-routes'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { inTransaction } from '#src/db/client.ts'
import { releaseDueSales } from '#src/features/money/payments/service.ts'
import { sendDueRefunds } from '#src/features/money/refunds/sending.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { linkIn, waitForMail } from '../../../../../../tests/support/mail.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf, refusalOf } from '../../../../../../tests/support/outcome.ts'
import { startPaymentWorld, walletOf, type World } from '../../../../../../tests/support/payment-world.ts'
import { order, shareServer, topUp } from '../../../../../../tests/support/servers.ts'
import { mailBuyers } from './order-mail.ts'
import { endDueOrders, returnPaidAgain } from './orders.ts'

const day = 24 * 3600_000
type Item = z.input<typeof shopItemBody>
type Order = z.input<typeof shopOrderBody>

let world: World
let boss: Caller
beforeAll(async () => {
  world = await startPaymentWorld({ env: { LIMIT_SHOP_QUOTES: '0', LIMIT_SHOP_ORDERS: '0' } })
  boss = await world.api.signUp({ admin: true })
})
afterEach(async () => {
  Object.assign(world.context.settings, { SHOP_SHARE_PERCENT: 0, SHOP_HOLD_DAYS: 14 })
  const faults = Object.entries(await findLedgerFaults(world.context.database.pool))
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
})
afterAll(() => world.close())

const seller = { name: 'Ola Nowak', address: 'ul. Polna 1, 00-001 Warszawa', email: 'ola@example.test', tax_id: '' }
const settings = { open: true, title: 'Meadow shop', currency: 'PLN', seller, rules_confirmed: true } as const
const bread = {
  name: 'Bread',
  price: 2000,
  commands: [
    { stage: 'purchase', command: 'give {player} bread {quantity}' },
    { stage: 'purchase', command: 'say thanks {player}', needs_player: false },
    { stage: 'refund', command: 'clear {player} bread' },
  ],
} as const satisfies Item

/** A server with an open shop, and players who have been on it. */
async function makeShop(items: readonly Item[] = [bread], players = ['Steve', 'Alex']) {
  const owner = await world.api.signUp()
  const walletId = await topUp(world.context, owner, 1844)
  const { id } = await owner.call(createServer, { body: order(walletId, '1.21.4') })
  for (const name of players)
    await world.context.db
      .insertInto('player_sessions')
      .values({ server_id: id, name, joined_at: new Date(), left_at: new Date(), player_id: null })
      .execute()
  await owner.call(routes.changeShop, { params: { id }, body: settings })
  for (const body of items) await owner.call(routes.createShopItem, { params: { id }, body })
  const shop = await owner.call(routes.getShop, { params: { id } })
  const itemIds = shop.items.map((item) => item.id)
  const place = (body: Partial<Order> = {}, key: string = randomUUID()) =>
    world.api.anonymous(front.createShopOrder, {
      params: { server: id },
      idempotencyKey: key,
      body: {
        item_id: itemIds[0]!,
        player: 'steve',
        email: 'buyer@example.test',
        provider: 'payu',
        total: items[0]!.price,
        begins_now: true,
        ...body,
      },
    })
  const transactionOf = async (orderId: string) =>
    (
      await world.context.db
        .selectFrom('shop_orders')
        .select('transaction_id')
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow()
    ).transaction_id!
  const buy = async (body: Partial<Order> = {}) => {
    const made = await place(body)
    const transactionId = await transactionOf(made.id)
    world.payu.pay(world.orderOf(transactionId).orderId)
    await world.quiet()
    return { ...made, transactionId }
  }
  const look = ({ id: order_id, key }: { id: string; key: string }) =>
    world.api.anonymous(front.getShopOrder, { params: { order_id }, query: { key } })
  const deliveries = async () =>
    (await owner.call(routes.listShopDeliveries, { params: { id }, query: { limit: 100 } })).data
      .toReversed()
      .map(({ stage, number, command, state }) => `${stage} ${number} ${state}: ${command}`)
  const wallet = async () => {
    const { balance, owed } = await owner.call(getWallet, { params: { id: walletOf(owner) } })
    const { held } = await owner.call(routes.getShop, { params: { id } })
    return { balance: balance.amount, owed: owed.amount, held: held.amount }
  }
  /** Has the game know of all that waits. */
  const deliver = () =>
    world.context.db
      .updateTable('shop_deliveries')
      .set({ state: 'confirmed', confirmed_at: new Date() })
      .where('server_id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  const chargeBack = (transactionId: string, amount: number, caseId = `case-${randomUUID().slice(0, 8)}`) =>
    boss.call(returns.enterChargeback, {
      params: { id: transactionId },
      body: { kind: 'chargeback', amount, reason: 'bank letter', case_id: caseId },
    })
  return { owner, id, itemIds, place, buy, look, deliveries, wallet, deliver, chargeBack, transactionOf, walletId }
}

describe('the owner’s side', () => {
  test('nobody sells without saying who they are and that they know the rules', async () => {
    const { owner, id } = await makeShop()
    const change = (body: object) =>
      refusalOf(owner.call(routes.changeShop, { params: { id }, body: { ...settings, ...body } }))
    expect(await change({ rules_confirmed: false })).toMatchObject({ error: 'shop_rules_not_confirmed' })
    expect(await change({ seller: { ...seller, address: '' } })).toMatchObject({
      error: 'shop_seller_missing',
      fields: { missing: 'address' },
    })
    expect(await change({ currency: 'EUR' })).toMatchObject({ error: 'success' }) // nobody has ordered yet
  })

  test.runIf(isLong)('what the game’s maker may forbid is asked about, and then sold', async () => {
    const { owner, id } = await makeShop()
    const body = {
      ...bread,
      name: 'Sword',
      commands: [{ stage: 'purchase' as const, command: 'give {player} diamond_sword' }],
    }
    expect(await refusalOf(owner.call(routes.createShopItem, { params: { id }, body }))).toMatchObject({
      error: 'shop_rules_not_confirmed',
      fields: { findings: 'advantage' },
    })
    const { items } = await owner.call(routes.createShopItem, {
      params: { id },
      body: { ...body, confirmed: ['advantage'] },
    })
    expect(items.find(({ name }) => name === 'Sword')).toMatchObject({
      findings: ['advantage'],
      confirmed: ['advantage'],
    })
  })

  test.runIf(isLong)('who shares the server keeps the shop, and neither opens it nor gives money back', async () => {
    const { owner, id, buy } = await makeShop()
    const friend = await world.api.signUp()
    await shareServer(world.context, {
      serverId: id,
      userId: friend.user.id,
      capabilities: { 'server.manage': true, 'server.manage.read': true },
    })
    const { id: orderId } = await buy()
    expect(await outcomeOf(friend.call(routes.createShopItem, { params: { id }, body: bread }))).toBe('success')
    expect(await outcomeOf(friend.call(routes.changeShop, { params: { id }, body: settings }))).toBe('access_denied')
    const give = { params: { id, order_id: orderId }, body: { reason: 'mine now' } }
    expect(await outcomeOf(friend.call(routes.refundShopOrder, give))).toBe('access_denied')
    const stranger = await makeShop()
    expect(await outcomeOf(stranger.owner.call(routes.refundShopOrder, give))).toBe('server_id_not_found')
    expect(
      await outcomeOf(
        owner.call(routes.refundShopOrder, { params: { id: stranger.id, order_id: orderId }, body: give.body }),
      ),
    ).toBe('server_id_not_found')
  })
})

describe('ordering', () => {
  test('a shop that is closed does not exist, and neither does another’s item', async () => {
    const { owner, id, place } = await makeShop()
    const other = await makeShop()
    expect(await outcomeOf(place({ item_id: other.itemIds[0]! }))).toBe('resource_not_found')
    await owner.call(routes.changeShop, { params: { id }, body: { ...settings, open: false } })
    expect(await outcomeOf(place())).toBe('shop_not_found')
    expect(await outcomeOf(world.api.anonymous(front.getPublicShop, { params: { server: id } }))).toBe('shop_not_found')
  })

  test('only for who has been there, as the game spells them', async () => {
    const { place, look } = await makeShop()
    expect(await outcomeOf(place({ player: 'Herobrine' }))).toBe('shop_player_unknown')
    expect(await outcomeOf(place({ player: '@a' }))).toBe('invalid_request')
    expect(await outcomeOf(place({ player: 'Steve\nop Mallory' }))).toBe('invalid_request')
    expect(await look(await place({ player: 'sTEVE' }))).toMatchObject({ player: 'Steve', state: 'waiting' })
  })

  test('by its own price, whatever the buyer says', async () => {
    const { place } = await makeShop()
    expect(await refusalOf(place({ total: 1 }))).toMatchObject({ error: 'shop_price_changed', fields: { total: 2000 } })
    expect(await refusalOf(place({ quantity: 2 }))).toMatchObject({
      error: 'shop_price_changed',
      fields: { total: 4000 },
    })
    expect(await outcomeOf(place({ provider: 'wallet' }))).toBe('unsupported_payment_method')
    expect(await outcomeOf(place({ provider: null }))).toBe('unsupported_payment_method')
  })

  test('the same key is the same order, at once too; another body is refused', async () => {
    const { place, owner, id } = await makeShop()
    const key = randomUUID()
    const made = await Promise.all([1, 2, 3].map(() => place({}, key)))
    expect(new Set(made.map((one) => one.id)).size).toBe(1)
    expect(await outcomeOf(place({ player: 'Alex' }, key))).toBe('idempotency_key_reused')
    expect((await owner.call(routes.listShopOrders, { params: { id }, query: {} })).count).toBe(1)
  })

  test('an order’s page opens with its key alone', async () => {
    const { place, look } = await makeShop()
    const [one, other] = [await place(), await place({ player: 'Alex' })]
    expect(await outcomeOf(look({ id: one.id, key: other.key }))).toBe('resource_not_found')
    expect(await outcomeOf(look({ id: one.id, key: '' }))).toBe('resource_not_found')
    expect(await outcomeOf(look(one))).toBe('success')
  })

  test('words of the owner are shown as they wrote them, harmless, beside what anybody sees who joins', async () => {
    const { owner, id } = await makeShop([
      { ...bread, description: 'A **golden** loaf <script>alert(1)</script> [here](javascript:alert)' },
    ])
    await owner.call(routes.changeShop, { params: { id }, body: { ...settings, intro: '*Hello*' } })
    const shop = await world.api.anonymous(front.getPublicShop, { params: { server: id } })
    expect(shop.items[0]?.html).toContain('<strong>golden</strong>')
    expect(shop.items[0]?.html).not.toMatch(/<script|javascript:/)
    expect(shop.intro_html).toContain('<em>Hello</em>')
    expect(shop).toMatchObject({
      picture: null,
      status: { players: 0, address: expect.stringContaining('.') as string },
    })
    const picture = `${'a'.repeat(32)}.webp`
    const body = { ...settings, picture }
    expect(await outcomeOf(owner.call(routes.changeShop, { params: { id }, body }))).toBe('resource_not_found')
  })

  test('the buyer is told the way back to the order, and the owner of the sale', async () => {
    const { owner, id, place, buy } = await makeShop([bread, { ...bread, name: 'Crumb', price: 0 }])
    const email = `${randomUUID()}@example.test`
    await place({ email }) // not paid: nobody is told
    const { id: orderId, key } = await buy({ email, language: 'pl', giver: 'Alex' })
    await mailBuyers(world.context)
    const mail = await waitForMail(world.api.dataDir, email)
    expect(mail.subject).toBe('Twoje zamówienie w sklepie Meadow shop: Bread')
    expect(mail.replyTo?.[0]?.address).toBe(seller.email)
    for (const fact of [orderId, /Dla: +Steve/, /Od: +Alex/, '20,00 zł', seller.name, seller.address])
      expect(mail.text?.replaceAll('\u00a0', ' ')).toMatch(fact)
    const link = new URL(linkIn(mail))
    expect(link.pathname + link.search).toBe(`/pl/shop/order/${orderId}?key=${key}`)
    const server = await owner.call(getServer, { params: { id } })
    const told = async () =>
      (await owner.call(listNotifications, { params: { id: owner.user.id } })).notifications.filter(
        ({ type }) => type === 'SHOP_SALE',
      )
    expect(await told()).toMatchObject([
      {
        title: 'Sold: Bread for PLN\u00a020.00',
        text: expect.stringContaining('Steve') as string,
        actions: [{ name: 'open_shop_orders', path: `/s/${server.domains[0]?.sub_domain}/shop?tab=orders` }],
      },
    ])
    const shop = await owner.call(routes.getShop, { params: { id } })
    const other = `${randomUUID()}@example.test`
    const free = shop.items.find(({ name }) => name === 'Crumb')!
    await place({ item_id: free.id, total: 0, provider: null, email: other })
    await mailBuyers(world.context)
    expect((await waitForMail(world.api.dataDir, other)).text).toMatch(/^Total: +Free$/m)
    expect(await told()).toHaveLength(1)
  })

  test('a refund while the purchase is being mailed is told as well', async () => {
    const { owner, id, buy } = await makeShop()
    const email = `${randomUUID()}@example.test`
    const made = await buy({ email })
    let isRefunded = false
    const mailer: typeof world.context.mailer = {
      ...world.context.mailer,
      async send(mail) {
        const give = { params: { id, order_id: made.id }, body: { reason: 'asked for it' } }
        if (!isRefunded) await owner.call(routes.refundShopOrder, give)
        isRefunded = true
        return world.context.mailer.send(mail)
      },
    }
    await mailBuyers({ ...world.context, mailer })
    expect((await waitForMail(world.api.dataDir, email, /^Refund of your order/)).text).toContain('in full')
    expect((await waitForMail(world.api.dataDir, email, /^Your order/)).text).toContain(made.id)
  })

  test('limits hold however many come at once', async () => {
    const { place } = await makeShop([{ ...bread, per_player: 2, overall: 3 }])
    const outcomes = await Promise.all(
      ['Steve', 'Steve', 'Steve', 'Alex', 'Alex', 'Alex'].map((player) => outcomeOf(place({ player }))),
    )
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(3)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'shop_item_sold_out']))
  })

  test('a coupon is used no more often than it may, and only as it says', async () => {
    const { owner, id, place } = await makeShop()
    await owner.call(routes.createShopCoupon, { params: { id }, body: { code: 'half', percent: 50, uses: 1 } })
    const outcomes = await Promise.all(
      ['Steve', 'Alex'].map((player) => outcomeOf(place({ player, coupon: 'HALF', total: 1000 }))),
    )
    expect(outcomes.toSorted()).toEqual(['shop_coupon_invalid', 'success'])
    await owner.call(routes.createShopCoupon, {
      params: { id },
      body: { code: 'OLD', amount: 100, until: new Date(Date.now() - 1000).toISOString() },
    })
    expect(await outcomeOf(place({ coupon: 'OLD', total: 1900 }))).toBe('shop_coupon_invalid')
    expect(await outcomeOf(place({ coupon: 'NONE', total: 2000 }))).toBe('shop_coupon_invalid')
  })

  test.runIf(isLong)('choices are words that the owner has named', async () => {
    const { place, deliveries } = await makeShop([
      {
        ...bread,
        price: 0,
        variables: [{ name: 'colour', label: 'Colour', choices: ['red', 'blue'] }],
        commands: [{ stage: 'purchase', command: 'paint {player} {colour}' }],
      },
    ])
    const free = { total: 0, provider: null }
    expect(await outcomeOf(place({ ...free, chosen: { colour: 'green' } }))).toBe('invalid_request')
    expect(await outcomeOf(place({ ...free, chosen: { colour: 'red\nop Mallory' } }))).toBe('invalid_request')
    await place({ ...free, chosen: { colour: 'blue', other: '; op' } })
    expect(await deliveries()).toEqual(['purchase 1 waiting: paint Steve blue'])
  })

  test.runIf(isLong)('a gift names its giver, unless it is none', async () => {
    const { place, look } = await makeShop([bread, { ...bread, name: 'Hat', giftable: false }])
    expect(await look(await place({ giver: 'Alex' }))).toMatchObject({ player: 'Steve', giver: 'Alex' })
    expect(await outcomeOf(place({ giver: 'Alex; op' }))).toBe('invalid_request')
  })
})

describe('money', () => {
  test('a sale is the owner’s, held, and theirs to use after the hold', async () => {
    const { buy, look, wallet, deliveries, owner } = await makeShop()
    const made = await buy({ quantity: 2, total: 4000 })
    expect(await look(made)).toMatchObject({ state: 'paid', deliveries: 2, delivered: 0 })
    expect(await deliveries()).toEqual([
      'purchase 1 waiting: give Steve bread 2',
      'purchase 2 waiting: say thanks Steve',
    ])
    expect(await wallet()).toEqual({ balance: 0, owed: 0, held: 4000 })
    const shown = await owner.call(getWallet, { params: { id: walletOf(owner) } })
    expect(shown).toMatchObject({ balance: { amount: 0 }, held: { amount: 4000 } })
    const { data } = await owner.call(listWalletLogs, { params: { id: walletOf(owner) }, query: {} })
    const until = { next: { amount: 4000 }, next_at: expect.any(String) }
    expect(shown.held_sales).toMatchObject({ amount: { amount: 4000 }, ...until })
    expect(data[0]).toMatchObject({
      cause: 'ITEMSHOP_SELL',
      amount: { amount: 4000 },
      sale: { description: expect.stringMatching(/: Bread$/), held_until: shown.held_sales?.next_at },
    })
    // Administrators read who bought what, not only whose shop it is.
    const { data: payments } = await boss.call(listPayments, { query: { q: owner.user.id } })
    expect(payments[0]).toMatchObject({
      username: owner.user.username,
      sale: { order_id: made.id, item: 'Bread', player: 'Steve' },
      server: { name: expect.any(String) },
    })
    await releaseDueSales(world.context, new Date(Date.now() + 13 * day))
    expect(await wallet()).toEqual({ balance: 0, owed: 0, held: 4000 })
    await releaseDueSales(world.context, new Date(Date.now() + 15 * day))
    await releaseDueSales(world.context, new Date(Date.now() + 15 * day))
    expect(await wallet()).toEqual({ balance: 4000, owed: 0, held: 0 })
  })

  test.runIf(isLong)('the operator’s part is a sale of the operator’s, and goes back with what goes back', async () => {
    Object.assign(world.context.settings, { SHOP_SHARE_PERCENT: 10 })
    const { buy, wallet, chargeBack } = await makeShop()
    const { transactionId } = await buy()
    await releaseDueSales(world.context, new Date(Date.now() + 15 * day))
    expect(await wallet()).toEqual({ balance: 1800, owed: 0, held: 0 })
    await chargeBack(transactionId, 1000)
    expect(await wallet()).toEqual({ balance: 900, owed: 0, held: 0 })
    await chargeBack(transactionId, 1000)
    expect(await wallet()).toEqual({ balance: 0, owed: 0, held: 0 })
  })

  test('a refund of the owner’s comes out of what is held, and takes the goods back', async () => {
    const { owner, id, buy, wallet, deliver, deliveries, look } = await makeShop()
    const email = `${randomUUID()}@example.test`
    const made = await buy({ email })
    await buy({ player: 'Alex' })
    await deliver()
    const give = { params: { id, order_id: made.id }, body: { reason: 'asked for it' } }
    await Promise.all([owner.call(routes.refundShopOrder, give), owner.call(routes.refundShopOrder, give)])
    expect(await wallet()).toEqual({ balance: 0, owed: 0, held: 2000 })
    expect((await deliveries()).filter((line) => line.includes('waiting'))).toEqual([
      'refund 1 waiting: clear Steve bread',
    ])
    for (let hour = 1; hour < 5; hour++) {
      await sendDueRefunds(world.context, world.gateways, new Date(Date.now() + hour * 3600_000))
      await world.quiet()
    }
    expect(await look(made)).toMatchObject({ state: 'refunded' })
    const { data: given } = await boss.call(returns.listPaymentReturns, { query: { user_id: owner.user.id } })
    expect(given).toMatchObject([
      { state: 'COMPLETED', user: { username: owner.user.username }, buyer: { player: 'Steve', email } },
    ])
    const { data: events } = await owner.call(listServerEvents, { params: { id }, query: { limit: 100 } })
    expect(events.filter(({ action }) => action === 'SERVER_SHOP_REFUND')).toMatchObject([
      { data: { player: 'Steve', item: 'Bread', amount: 2000, currency: 'PLN' } },
    ])
    await mailBuyers(world.context)
    const mail = await waitForMail(world.api.dataDir, email, /^Refund of your order/)
    expect(mail.text).toContain('in full')
    const told = await world.context.database.pool.query('select kind from notifications where user_id = $1', [
      owner.user.id,
    ])
    const kinds = told.rows.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toContain('SALE_REFUNDED')
    expect(kinds).not.toContain('PAYMENT_REFUNDED')
    expect(world.orderOf(made.transactionId).refunds.map(({ amount }) => Number(amount))).toEqual([2000])
    expect(await outcomeOf(owner.call(routes.refundShopOrder, give))).toBe('refund_exceeds_payment')
  })

  test.runIf(isLong)(
    'what the wallet lacks for a chargeback is owed, and the next sale settles it once it is free',
    async () => {
      const { buy, wallet, chargeBack, deliver, deliveries, owner } = await makeShop()
      const { transactionId } = await buy()
      await deliver()
      await releaseDueSales(world.context, new Date(Date.now() + 15 * day))
      const second = await topUp(world.context, owner, 0 + 1)
      await owner.call(createServer, { body: order(second, '1.21.4') })
      expect((await wallet()).balance).toBe(2001 - 1844)
      await chargeBack(transactionId, 2000)
      expect(await wallet()).toEqual({ balance: 0, owed: 2000 - (2001 - 1844), held: 0 })
      expect(await deliveries()).toContain('refund 1 waiting: clear Steve bread')
      await buy({ player: 'Alex' })
      await releaseDueSales(world.context, new Date(Date.now() + 15 * day))
      expect(await wallet()).toEqual({ balance: 2001 - 1844, owed: 0, held: 0 })
    },
  )

  test('what goes back before anything was sent is never sent, nor by hand', async () => {
    const { owner, id, buy, chargeBack, deliveries, wallet } = await makeShop()
    const { transactionId } = await buy()
    await chargeBack(transactionId, 2000)
    expect(await deliveries()).toEqual([
      'purchase 1 dropped: give Steve bread 1',
      'purchase 2 dropped: say thanks Steve',
    ])
    expect(await wallet()).toEqual({ balance: 0, owed: 0, held: 0 })
    const { data: dropped } = await owner.call(routes.listShopDeliveries, { params: { id }, query: {} })
    for (const { id: deliveryId } of dropped) {
      const again = { params: { id, delivery_id: deliveryId }, body: { outcome: 'again' } } as const
      expect(await outcomeOf(owner.call(routes.settleShopDelivery, again))).toBe('shop_order_given_back')
    }
  })

  test('paid twice, it is delivered once, and the second payment goes back', async () => {
    const { place, wallet, deliveries, transactionOf } = await makeShop()
    const made = await place({ provider: 'paynow' })
    const id = await transactionOf(made.id)
    const { paymentId } = world.paymentOf(id)
    const again = world.paynow.abandon(paymentId)
    world.paynow.pay(again)
    await world.quiet()
    world.paynow.settle(paymentId, 'CONFIRMED')
    await world.quiet()
    await world.poll(id)
    expect(await wallet()).toMatchObject({ balance: 0, held: 4000 })
    await returnPaidAgain(world.context, world.gateways)
    await returnPaidAgain(world.context, world.gateways)
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0, held: 2000 })
    expect(await deliveries()).toHaveLength(2)
  })

  test.runIf(isLong)('a goal is reached once, by what is paid', async () => {
    const { owner, id, buy, deliveries } = await makeShop()
    await owner.call(routes.createShopGoal, {
      params: { id },
      body: { title: 'New spawn', target: 4000, commands: ['say we did it'] },
    })
    await buy()
    expect((await deliveries()).some((line) => line.startsWith('goal'))).toBe(false)
    await buy()
    await buy()
    expect((await deliveries()).filter((line) => line.startsWith('goal'))).toEqual(['goal 1 waiting: say we did it'])
  })
})

describe('for a time', () => {
  const rank: Item = {
    name: 'Rank',
    price: 2000,
    days: 30,
    commands: [
      { stage: 'purchase', command: 'rank add {player}' },
      { stage: 'renewal', command: 'rank keep {player}' },
      { stage: 'expiry', command: 'rank remove {player}' },
    ],
  }
  const later = (days: number) => new Date(Date.now() + days * day)

  test.runIf(isLong)('bought again it is renewed, and ends once', async () => {
    const { buy, deliveries, look } = await makeShop([rank])
    await buy()
    const second = await buy()
    expect(Math.round((Date.parse((await look(second)).until!) - Date.now()) / day)).toBe(60)
    await endDueOrders(world.context, later(31))
    expect((await deliveries()).filter((line) => line.startsWith('expiry'))).toEqual([])
    await endDueOrders(world.context, later(61))
    await endDueOrders(world.context, later(62))
    expect(await deliveries()).toEqual([
      'purchase 1 waiting: rank add Steve',
      'renewal 1 waiting: rank keep Steve',
      'expiry 1 waiting: rank remove Steve',
    ])
  })

  test.runIf(isLong).each([
    ['first', 0],
    ['second', 1],
  ])('of two, the %s is given back: the other one’s time stays', async (_which, index) => {
    const { buy, chargeBack, look } = await makeShop([rank])
    const made = [await buy(), await buy()]
    await chargeBack(made[index]!.transactionId, 2000)
    await endDueOrders(world.context, later(29))
    const left = made[1 - index]!
    expect(Math.round((Date.parse((await look(left)).until!) - Date.now()) / day)).toBe(30)
    await endDueOrders(world.context, later(31))
    const { rows } = await inTransaction(world.context.db, async (trx) => ({
      rows: await trx
        .selectFrom('shop_orders')
        .select(['id', 'ended_at'])
        .where(
          'id',
          'in',
          made.map(({ id }) => id),
        )
        .execute(),
    }))
    expect(rows.every(({ ended_at }) => ended_at !== null)).toBe(true)
  })
})
