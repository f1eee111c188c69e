/** What invitations earn, through the front door: played, paid, given back, and every way to cheat that we know. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import * as routes from '@wakestone/contract/sales/referrals-routes'
import { createServer, createServerByVoucher } from '@wakestone/contract/servers/servers-routes'
import { startTrial } from '@wakestone/contract/sales/vouchers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { giveBack, payIn } from '../../../../../../tests/support/direct-payments.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { takeIn } from '#src/features/servers/placement/take-in.ts'
import { handleReferrals, reverseRewardsOf } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** GRASS, 720 h, with 23 % of VAT. */
const month = 1844

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

const ownCode = async ({ call, user }: Caller) =>
  (await call(routes.getOwnReferralCode, { params: { id: user.id } })).referral_code
const setReferrer = ({ call, user }: Caller, code: string) =>
  outcomeOf(call(routes.setReferrer, { params: { userId: user.id }, body: { code } }))
const see = ({ call, user }: Caller) => call(routes.getReferrals, { params: { id: user.id } })
const hoursOf = async (caller: Caller) => (await see(caller)).hours
const handle = (now = new Date()) => handleReferrals(api.context, now)

const put = async (caller: Caller, serviceId: string, hours?: number, code?: string, key?: string) =>
  outcomeOf(
    caller.call(routes.useReferralHours, {
      params: { serviceId },
      body: { referral_code: code ?? (await ownCode(caller)), ...(hours !== undefined && { hours }) },
      ...(key !== undefined && { idempotencyKey: key }),
    }),
  )

async function rent(caller: Caller, product = 'GRASS') {
  const walletId = await topUp(api.context, caller, month)
  return caller.call(createServer, { body: order(walletId, '1.21.4', { requested_billing_services: [product] }) })
}

async function makePair({ verified = true } = {}) {
  const [inviter, invited] = [await api.signUp(), await api.signUp({ verified })]
  expect(await setReferrer(invited, await ownCode(inviter))).toBe('success')
  return { inviter, invited }
}

let seq = 0
/** What a supervisor tells from now on may have been then. */
const lookBack = (serverId: string, to: number) =>
  api.context.database.pool.query('update server_looks set told_until = $2 where server_id = $1', [
    serverId,
    new Date(to),
  ])
/** Somebody is on the server for so long, as its supervisor tells. */
async function play(serverId: string, milliseconds: number, began = Date.now() - day) {
  const tell = (type: 'player_joined' | 'player_left', at: number) =>
    takeIn(api.context, serverId, { seq: ++seq, at: new Date(at).toISOString(), type, name: 'Alex' }, { isOld: false })
  await lookBack(serverId, began)
  await tell('player_joined', began)
  await tell('player_left', began + milliseconds)
}

/** The invited friend has rented a server and played on it. */
async function makePlayedPair() {
  const pair = await makePair()
  const server = await rent(pair.invited)
  await play(server.id, hour)
  return { ...pair, server }
}

describe('playing', () => {
  test('for an hour in all earns both their hours, once, whoever looks', async () => {
    const { inviter, invited } = await makePair()
    const server = await rent(invited)
    await play(server.id, 59 * minute)
    await handle()
    expect(await hoursOf(invited)).toBe(0)
    await play(server.id, minute)
    await Promise.all([handle(), handle(), handle()])
    await handle()
    expect([await hoursOf(invited), await hoursOf(inviter)]).toEqual([24, 24])
    expect((await see(inviter)).friends).toMatchObject([{ state: 'played', hours: 24, name: 'tes…' }])
    const told = await api.context.db
      .selectFrom('notifications')
      .select(['user_id', 'fields'])
      .where('kind', '=', 'REFERRAL_REWARD')
      .where('user_id', 'in', [inviter.user.id, invited.user.id])
      .execute()
    expect(told).toHaveLength(2)
  })

  test.runIf(isLong)('counts while it goes on, and what nobody saw the end of does not', async () => {
    const { invited } = await makePair()
    const server = await rent(invited)
    const at = new Date(Date.now() - 30 * minute).toISOString()
    await lookBack(server.id, Date.parse(at))
    await takeIn(api.context, server.id, { seq: ++seq, at, type: 'player_joined', name: 'Alex' }, { isOld: false })
    await handle(new Date(Date.now() + 29 * minute))
    expect(await hoursOf(invited)).toBe(0)
    await handle(new Date(Date.now() + 31 * minute))
    expect(await hoursOf(invited)).toBe(24)
  })

  test.runIf(isLong)('on somebody else’s server, or before the address is verified, earns nothing', async () => {
    const { inviter, invited } = await makePair()
    await play((await rent(inviter)).id, 2 * hour)
    await handle()
    expect([await hoursOf(invited), await hoursOf(inviter)]).toEqual([0, 0])

    const played = await makePlayedPair()
    await api.context.db
      .updateTable('users')
      .set({ email_verified: null })
      .where('id', '=', played.invited.user.id)
      .execute()
    await handle()
    expect([await hoursOf(played.invited), await hoursOf(played.inviter)]).toEqual([0, 0])
  })
})

describe('a first payment', () => {
  test('earns the inviter 72 hours, once, and a later one nothing', async () => {
    const { inviter, invited } = await makePair()
    await payIn(api.context, invited, 2000)
    await payIn(api.context, invited, 2000)
    await Promise.all([handle(), handle()])
    expect([await hoursOf(inviter), await hoursOf(invited)]).toEqual([72, 0])
    expect((await see(inviter)).friends).toMatchObject([{ state: 'paid', hours: 72 }])
  })

  test.runIf(isLong)(
    'that is given back takes the hours back, and the next payment is the first one then',
    async () => {
      const { inviter, invited } = await makePair()
      const paid = await payIn(api.context, invited, 2000)
      await handle()
      await giveBack(api.context, invited, paid, 1000)
      await handle()
      expect(await hoursOf(inviter)).toBe(72) // what is left of it is a payment still
      await giveBack(api.context, invited, paid, 800)
      await handle()
      expect(await hoursOf(inviter)).toBe(0)
      await payIn(api.context, invited, 2000)
      await handle()
      expect(await hoursOf(inviter)).toBe(72)
    },
  )

  test('that is charged back takes the hours back in the same transaction, whatever runs at once', async () => {
    const { inviter, invited } = await makePair()
    const paid = await payIn(api.context, invited, 2000)
    await handle()
    const reverse = () => inTransaction(api.context.db, (trx) => reverseRewardsOf(trx, paid))
    await Promise.all([reverse(), reverse(), handle()])
    expect(await hoursOf(inviter)).toBe(0)
    await handle()
    expect(await hoursOf(inviter)).toBe(0)
  })

  test('that was given back before anybody looked earns nothing', async () => {
    const { inviter, invited } = await makePair()
    const paid = await payIn(api.context, invited, 2000)
    await inTransaction(api.context.db, (trx) => reverseRewardsOf(trx, paid))
    await handle()
    expect(await hoursOf(inviter)).toBe(0)
  })

  test.runIf(isLong)('that cannot be settled keeps no others waiting, and is settled once it can', async () => {
    const [one, other] = [await makePair(), await makePair()]
    const paid = await payIn(api.context, one.invited, 2000)
    await payIn(api.context, other.invited, 2000)
    const { pool } = api.context.database
    await pool.query(`alter table referral_rewards add constraint broken check (transaction_id <> '${paid}')`)
    try {
      await Promise.all([handle(), handle()])
    } finally {
      await pool.query('alter table referral_rewards drop constraint broken')
    }
    expect([await hoursOf(one.inviter), await hoursOf(other.inviter)]).toEqual([0, 72])
    await handle()
    expect([await hoursOf(one.inviter), await hoursOf(other.inviter)]).toEqual([72, 72])
  })

  test.runIf(isLong)('before the invitation is none of it: whoever has paid already was not invited', async () => {
    const [inviter, invited] = [await api.signUp(), await api.signUp()]
    const paid = await payIn(api.context, invited, 2000)
    expect(await setReferrer(invited, await ownCode(inviter))).toBe('referral_not_allowed')
    await giveBack(api.context, invited, paid, 2000)
    expect(await setReferrer(invited, await ownCode(inviter))).toBe('referral_not_allowed')
    await handle()
    expect(await hoursOf(inviter)).toBe(0)
    const server = await rent(invited)
    expect(await put(invited, server.service_id, undefined, await ownCode(inviter))).toBe('referral_not_allowed')
  })

  test.runIf(isLong)('that was begun before the invitation, and came after it, is none of it', async () => {
    const { inviter, invited } = await makePair()
    await payIn(api.context, invited, 2000)
    await api.context.db
      .updateTable('referrals')
      .set({ created_at: new Date(Date.now() + minute) })
      .where('user_id', '=', invited.user.id)
      .execute()
    await handle()
    expect(await hoursOf(inviter)).toBe(0)
  })
})

describe('hours', () => {
  const endOf = async ({ call }: Caller, id: string) =>
    Date.parse((await call(billings.getService, { params: { id } })).expires ?? '')

  test('are put on a service of one’s own, in parts or whole, and never twice', async () => {
    const { invited, server } = await makePlayedPair()
    await handle()
    const end = await endOf(invited, server.service_id)
    expect(await put(invited, server.service_id, 10)).toBe('success')
    expect(await endOf(invited, server.service_id)).toBe(end + 10 * hour)
    expect(await put(invited, server.service_id, 15)).toBe('not_enough_referral_hours')
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => put(invited, server.service_id, 7)))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(2)
    expect(await hoursOf(invited)).toBe(0)
    expect(await endOf(invited, server.service_id)).toBe(end + 24 * hour)
    expect(await put(invited, server.service_id)).toBe('not_enough_referral_hours')
  })

  test('under one key once', async () => {
    const { invited, server } = await makePlayedPair()
    await handle()
    const key = randomUUID()
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => put(invited, server.service_id, 4, undefined, key)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['success']))
    expect(await hoursOf(invited)).toBe(20)
  })

  test('are nobody else’s, and nothing for what costs nothing', async () => {
    const { inviter, invited, server } = await makePlayedPair()
    await handle()
    expect(await put(inviter, server.service_id)).toBe('resource_not_found')
    expect(await put(admin, server.service_id)).toBe('access_denied')
    const free = await rent(invited, 'FREE')
    expect(await put(invited, free.service_id)).toBe('product_not_available')
    expect(await hoursOf(invited)).toBe(24)
  })

  test.runIf(isLong)('are none for a trial, not even one that was changed to a plan with a price', async () => {
    const { invited } = await makePlayedPair()
    await handle()
    const { code } = await invited.call(startTrial, { params: { id: 'AMETHYST' } })
    const walletId = await topUp(api.context, invited, month)
    const trial = await invited.call(createServerByVoucher, {
      body: { ...order(walletId, '1.21.4', { requested_billing_services: ['AMETHYST'] }), voucher: code },
    })
    expect(await put(invited, trial.service_id)).toBe('product_not_available')
    await invited.call(billings.upgradeService, {
      params: { id: trial.service_id },
      body: { product_id: 'GRASS', wallet_id: walletId },
    })
    const end = await endOf(invited, trial.service_id)
    expect(await put(invited, trial.service_id)).toBe('product_not_available')
    expect([await endOf(invited, trial.service_id), await hoursOf(invited)]).toEqual([end, 24])
  })

  test.runIf(isLong)('with somebody else’s code: it is noted as the one that led here', async () => {
    const [inviter, invited, third] = [await api.signUp(), await api.signUp(), await api.signUp()]
    const server = await rent(invited)
    const code = await ownCode(inviter)
    expect(await put(invited, server.service_id, undefined, code)).toBe('success')
    expect((await see(invited)).is_invited).toBe(true)
    expect(await put(invited, server.service_id, undefined, await ownCode(third))).toBe('resource_already_exists')
    await play(server.id, hour)
    await handle()
    expect(await put(invited, server.service_id, undefined, code)).toBe('success')
    expect(await hoursOf(invited)).toBe(0)
  })

  test.runIf(isLong)('that are gone when they are taken back are owed: the next ones make up for them', async () => {
    const { inviter, invited } = await makePair()
    const server = await rent(inviter)
    const paid = await payIn(api.context, invited, 2000)
    await handle()
    expect(await put(inviter, server.service_id)).toBe('success')
    await giveBack(api.context, invited, paid, 2000)
    await handle()
    expect(await see(inviter)).toMatchObject({ hours: 0, hours_owed: 72 })
    expect(await put(inviter, server.service_id, 1)).toBe('not_enough_referral_hours')
    const next = await api.signUp()
    await setReferrer(next, await ownCode(inviter))
    await payIn(api.context, next, 2000)
    await handle()
    expect(await see(inviter)).toMatchObject({ hours: 0, hours_owed: 0 })
  })

  test.runIf(isLong)('of many accounts are 240 in a month at most', async () => {
    const inviter = await api.signUp()
    const code = await ownCode(inviter)
    for (let n = 0; n < 5; n++) {
      const invited = await api.signUp()
      await setReferrer(invited, code)
      await payIn(api.context, invited, 2000)
    }
    await Promise.all([handle(), handle()])
    expect(await see(inviter)).toMatchObject({ hours: 240, hours_this_month: 240, friend_count: 5 })
    const later = new Date(Date.now() + 31 * day)
    const invited = await api.signUp()
    await setReferrer(invited, code)
    await payIn(api.context, invited, 2000)
    await handle(later)
    expect(await hoursOf(inviter)).toBe(312)
  })
})

describe('accounts that look like one person’s', () => {
  const list = (review?: 'waiting' | 'allowed' | 'refused') =>
    admin.call(routes.listReferrals, { query: { limit: 100, ...(review !== undefined && { review }) } })
  const decide = (userId: string, review: 'allowed' | 'refused') =>
    admin.call(routes.reviewReferral, { params: { userId }, body: { review } })
  const setAddress = (caller: Caller, ip: string) =>
    api.context.db.updateTable('sessions').set({ ip }).where('user_id', '=', caller.user.id).execute()

  test.each(
    someOf(
      [
        [
          'address',
          async (one: Caller, other: Caller) => [
            await setAddress(one, '83.0.0.7'),
            await setAddress(other, '83.0.0.7'),
          ],
        ],
        [
          'address',
          async (one: Caller, other: Caller) => [
            await setAddress(one, '2a00:1:2:3::1'),
            await setAddress(other, '2a00:1:2:3:ff::9'),
          ],
        ],
        [
          'device',
          async (one: Caller, other: Caller) => {
            const device_hash = Buffer.from(randomUUID())
            await api.context.db
              .insertInto('known_devices')
              .values([one, other].map(({ user }) => ({ user_id: user.id, device_hash })))
              .execute()
          },
        ],
        [
          'payment',
          async (one: Caller, other: Caller) => [
            await payIn(api.context, one, 1000, { ip: '83.0.0.8' }),
            await payIn(api.context, other, 1000, { ip: '83.0.0.8' }),
          ],
        ],
      ],
      1,
    ),
  )('by %s wait for an administrator', async (sign, arrange) => {
    const { inviter, invited } = await makePlayedPair()
    await arrange(inviter, invited)
    await handle()
    expect([await hoursOf(inviter), await hoursOf(invited)]).toEqual([0, 0])
    expect((await see(inviter)).friends).toMatchObject([{ state: 'review' }])
    const found = (await list('waiting')).data.find((one) => one.invited.id === invited.user.id)
    expect(found).toMatchObject({ signs: [sign], review: 'waiting', hours: 0 })
    await decide(invited.user.id, 'allowed')
    await handle()
    expect([(await hoursOf(inviter)) >= 24, await hoursOf(invited)]).toEqual([true, 24])
  })

  test.runIf(isLong)('refused give back what they have earned, for good', async () => {
    const { inviter, invited } = await makePlayedPair()
    await payIn(api.context, invited, 2000)
    await handle()
    expect(await hoursOf(inviter)).toBe(96)
    expect(await decide(invited.user.id, 'refused')).toMatchObject({ review: 'refused', hours: 0 })
    await payIn(api.context, invited, 2000)
    await handle()
    expect([await hoursOf(inviter), await hoursOf(invited)]).toEqual([0, 0])
    expect((await see(inviter)).friends).toMatchObject([{ state: 'refused' }])
    expect(await outcomeOf(decide(randomUUID(), 'allowed'))).toBe('resource_not_found')
  })

  test('all referrals are there as a file for spreadsheets', async () => {
    const response = await fetch(`${api.origin}/api/v1/admin/referrals.csv`, { headers: { cookie: admin.cookie() } })
    const lines = (await response.text()).trim().split('\r\n')
    expect(lines[0]).toBe('invited,inviter,code,time,signs,review,hours')
    expect(lines).toHaveLength((await list()).count + 1)
  })
})

test('whoever names whose code, in whatever order and at once, nobody is above themselves', async () => {
  const crowd = await Promise.all(Array.from({ length: 6 }, () => api.signUp()))
  const codes = await Promise.all(crowd.map(ownCode))
  const at = fc.integer({ min: 0, max: crowd.length - 1 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(at, at), { minLength: 5, maxLength: 20 }), async (tries) => {
      const ids = crowd.map(({ user }) => user.id)
      await api.context.db.deleteFrom('referrals').where('user_id', 'in', ids).execute()
      await Promise.all(tries.map(([who, whose]) => setReferrer(crowd[who] as Caller, codes[whose] ?? '')))
      const rows = await api.context.db.selectFrom('referrals').select(['user_id', 'referrer_id']).execute()
      const above = new Map(rows.map((row) => [row.user_id, row.referrer_id]))
      for (const start of above.keys()) {
        const seen = new Set<string>()
        for (let next: string | undefined = start; next !== undefined; next = above.get(next)) {
          expect(seen.has(next)).toBe(false)
          seen.add(next)
        }
      }
    }),
    { numRuns: isLong ? 12 : 4 },
  )
})
