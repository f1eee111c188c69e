/** The affiliate programme, through the front door: earned, held, used, given back, and the books right at every end. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/sales/affiliates-routes'
import { getOwnReferralCode, reviewReferral, setReferrer } from '@wakestone/contract/sales/referrals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { giveBack, payIn } from '../../../../../../tests/support/direct-payments.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { handleReferrals, reverseRewardsOf } from '#src/features/sales/referrals/service.ts'
import { countVisit, forgetVisitors } from './clicks.ts'
import { commissionOf, endOfReferral, releaseCommissions } from './commissions.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const day = 24 * 3600_000
/** GRASS, 720 h, with 23 % of VAT. */
const month = 1844

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())
afterEach(async () => {
  const faults = Object.entries(await findLedgerFaults(api.context.database.pool))
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
})

const see = ({ call, user }: Caller) => call(routes.getAffiliate, { params: { id: user.id } })
const earnings = async (caller: Caller) => {
  const { pending, available, paid, owed } = (await see(caller)).earnings.find(({ currency }) => currency === 'PLN')!
  return { pending, available, paid, owed }
}
const apply = ({ call, user }: Caller) =>
  outcomeOf(
    call(routes.applyForAffiliate, {
      params: { id: user.id },
      body: { website: 'https://stream.example', about: 'I stream every evening.' },
    }),
  )
const decide = (user: Caller, state: 'approved' | 'suspended') =>
  admin.call(routes.changeAffiliate, { params: { userId: user.user.id }, body: { state } })
const bring = async (affiliate: Caller) => {
  const invited = await api.signUp()
  const { referral_code } = await affiliate.call(getOwnReferralCode, { params: { id: affiliate.user.id } })
  await invited.call(setReferrer, { params: { userId: invited.user.id }, body: { code: referral_code } })
  return invited
}
const handle = async (now = new Date()) => {
  await handleReferrals(api.context, now)
  await releaseCommissions(api.context, now)
}
const later = (days: number) => new Date(Date.now() + days * day)
const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')!.id
const payOut = ({ call, user }: Caller, amount: number, walletId: string, key?: string) =>
  outcomeOf(
    call(routes.payOutAffiliate, {
      params: { id: user.id },
      body: { wallet_id: walletId, amount },
      ...(key !== undefined && { idempotencyKey: key }),
    }),
  )

async function makeAffiliate() {
  const affiliate = await api.signUp()
  expect(await apply(affiliate)).toBe('success')
  await decide(affiliate, 'approved')
  return affiliate
}

test.runIf(isLong)('the same key at once for payouts in two currencies is one of them', async () => {
  const affiliate = await makeAffiliate()
  const invited = await bring(affiliate)
  for (const currency of ['PLN', 'EUR'] as const) await payIn(api.context, invited, 10_000, { currency })
  await handle()
  await handle(later(40))
  const walletIn = (wanted: string) => affiliate.user.wallets.find(({ currency }) => currency === wanted)?.id ?? ''
  for (let times = 0; times < 3; times++) {
    const key = randomUUID()
    const rivals = await Promise.all(['PLN', 'EUR'].map((currency) => payOut(affiliate, 100, walletIn(currency), key)))
    expect(rivals.toSorted()).toEqual(['idempotency_key_reused', 'success'])
  }
})

describe('taking part', () => {
  test('is asked for once, with a verified address, and decided by an administrator', async () => {
    const user = await api.signUp()
    expect((await see(user)).state).toBe('none')
    expect((await Promise.all([apply(user), apply(user)])).sort()).toEqual(['resource_already_exists', 'success'])
    expect((await see(user)).state).toBe('waiting')
    expect(await apply(await api.signUp({ verified: false }))).toBe('email_not_verified')
    const waiting = await admin.call(routes.listAffiliates, { query: { state: 'waiting' } })
    expect(waiting.data.map((one) => one.user.id)).toContain(user.user.id)
    expect(await decide(user, 'approved')).toMatchObject({ state: 'approved' })
    expect((await see(user)).state).toBe('approved')
    const nobody = await api.signUp()
    expect(await outcomeOf(decide(nobody, 'approved'))).toBe('resource_not_found')
  })

  test('is what a share needs: who comes before counts for hours, and not for both', async () => {
    const user = await api.signUp()
    const early = await bring(user)
    await apply(user)
    await decide(user, 'approved')
    await payIn(api.context, early, 10_000)
    await payIn(api.context, await bring(user), 10_000)
    await handle()
    expect(await earnings(user)).toMatchObject({ pending: 1000, available: 0 })
    expect(await see(user)).toMatchObject({ sign_ups: 1 })
    const hours = await api.context.db
      .selectFrom('referral_rewards')
      .select(['kind', 'hours'])
      .where('user_id', '=', user.user.id)
      .execute()
    expect(hours).toEqual([{ kind: 'first_payment', hours: 72 }])
  })
})

describe('a share', () => {
  test('is a tenth of each top-up, held for thirty days, once, whoever looks', async () => {
    const affiliate = await makeAffiliate()
    const invited = await bring(affiliate)
    await payIn(api.context, invited, 10_005)
    await payIn(api.context, invited, 999)
    await Promise.all([handle(), handle()])
    expect(await earnings(affiliate)).toEqual({ pending: 1099, available: 0, paid: 0, owed: 0 })
    await handle(later(29))
    expect(await earnings(affiliate)).toMatchObject({ pending: 1099, available: 0 })
    await Promise.all([handle(later(31)), handle(later(31)), handle(later(31))])
    expect(await earnings(affiliate)).toEqual({ pending: 0, available: 1099, paid: 0, owed: 0 })
  })

  test.runIf(isLong)('ends after twelve months', async () => {
    const affiliate = await makeAffiliate()
    const invited = await bring(affiliate)
    await api.context.db
      .updateTable('referrals')
      .set({ created_at: new Date(Date.now() - 366 * day) })
      .where('user_id', '=', invited.user.id)
      .execute()
    await payIn(api.context, invited, 10_000)
    await handle()
    expect(await earnings(affiliate)).toMatchObject({ pending: 0 })
    expect(endOfReferral(new Date('2027-01-31T00:00:00Z'), 12).toISOString()).toBe('2028-01-31T00:00:00.000Z')
  })

  test('goes with its top-up: in part, whole, pending, available, and when it has been used', async () => {
    const affiliate = await makeAffiliate()
    const invited = await bring(affiliate)
    const first = await payIn(api.context, invited, 10_000)
    await handle()
    await giveBack(api.context, invited, first, 5_000)
    await handle()
    expect(await earnings(affiliate)).toMatchObject({ pending: 500 })
    const second = await payIn(api.context, invited, 20_000)
    await handle(later(31))
    expect(await earnings(affiliate)).toMatchObject({ pending: 0, available: 2500 })
    await giveBack(api.context, invited, first, 5_000)
    await handle()
    expect(await earnings(affiliate)).toMatchObject({ available: 2000, owed: 0 })
    expect(await payOut(affiliate, 1500, walletOf(affiliate))).toBe('success')
    const reverse = () => inTransaction(api.context.db, (trx) => reverseRewardsOf(trx, second))
    await Promise.all([reverse(), reverse()])
    expect(await earnings(affiliate)).toEqual({ pending: 0, available: 0, paid: 1500, owed: 1500 })
    // The next shares make up for it.
    await payIn(api.context, invited, 20_000)
    await handle()
    await handle(later(31))
    expect(await earnings(affiliate)).toEqual({ pending: 0, available: 500, paid: 1500, owed: 0 })
  })

  test.runIf(isLong)('of accounts that look like one person’s waits, and refused is taken back', async () => {
    const affiliate = await makeAffiliate()
    const invited = await bring(affiliate)
    for (const { user } of [affiliate, invited])
      await api.context.db.updateTable('sessions').set({ ip: '83.1.0.7' }).where('user_id', '=', user.id).execute()
    await payIn(api.context, invited, 10_000)
    await handle()
    expect(await earnings(affiliate)).toMatchObject({ pending: 0 })
    const decideOn = (review: 'allowed' | 'refused') =>
      admin.call(reviewReferral, { params: { userId: invited.user.id }, body: { review } })
    await decideOn('allowed')
    await handle()
    expect(await earnings(affiliate)).toMatchObject({ pending: 1000 })
    await decideOn('refused')
    expect(await earnings(affiliate)).toMatchObject({ pending: 0 })
  })

  test.runIf(isLong)('is not earned, released or used while the affiliate is suspended', async () => {
    const affiliate = await makeAffiliate()
    const invited = await bring(affiliate)
    await payIn(api.context, invited, 10_000)
    await handle()
    await decide(affiliate, 'suspended')
    await payIn(api.context, invited, 10_000)
    await handle(later(31))
    expect(await earnings(affiliate)).toMatchObject({ pending: 1000, available: 0 })
    await decide(affiliate, 'approved')
    await handle(later(31))
    expect(await earnings(affiliate)).toMatchObject({ pending: 0, available: 1000 })
    await decide(affiliate, 'suspended')
    expect(await payOut(affiliate, 100, walletOf(affiliate))).toBe('affiliate_not_active')
  })
})

describe('what is available', () => {
  async function makeRich() {
    const affiliate = await makeAffiliate()
    await payIn(api.context, await bring(affiliate), 20_000)
    await handle()
    await handle(later(31))
    return affiliate
  }

  test('moves to one’s own wallet as credit, never more than there is, however many ask at once', async () => {
    const affiliate = await makeRich()
    const other = await api.signUp()
    expect(await payOut(affiliate, 100, walletOf(other))).toBe('wallet_not_found')
    expect(await payOut(other, 100, walletOf(other))).toBe('affiliate_not_active')
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => payOut(affiliate, 700, walletOf(affiliate))))
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(2)
    expect(new Set(outcomes)).toEqual(new Set(['success', 'affiliate_has_not_funds']))
    const key = randomUUID()
    const same = await Promise.all(Array.from({ length: 5 }, () => payOut(affiliate, 100, walletOf(affiliate), key)))
    expect(new Set(same)).toEqual(new Set(['success']))
    expect(await earnings(affiliate)).toMatchObject({ available: 500, paid: 1500 })
    const wallet = await affiliate.call(getWallet, { params: { id: walletOf(affiliate) } })
    expect(wallet).toMatchObject({ balance: { amount: 1500 }, non_refundable: { amount: 1500 } })
  })

  test('pays for a purchase with exactly its price, and not without enough', async () => {
    const affiliate = await makeRich()
    const buy = () =>
      outcomeOf(
        affiliate.call(createServer, {
          body: order(walletOf(affiliate), '1.21.4', { payment_method: 'affiliate' }),
        }),
      )
    expect(await buy()).toBe('success')
    expect(await earnings(affiliate)).toMatchObject({ available: 2000 - month, paid: month })
    expect(await buy()).toBe('affiliate_has_not_funds')
    const params = { id: walletOf(affiliate) }
    expect((await affiliate.call(getWallet, { params })).balance.amount).toBe(0)
    const [purchase] = (await affiliate.call(listWalletTransactions, { params })).data
    expect(purchase).toMatchObject({ provider: 'affiliate', amount: month, action: 'ADD_SERVICE' })
  })
})

test('visits count once a day and browser, not those of robots, and nothing tells who came', async () => {
  const affiliate = await makeAffiliate()
  const { referral_code: code } = await see(affiliate)
  const now = new Date()
  const visit = (ip: string, userAgent: string | undefined, at = now) =>
    countVisit(api.context, { code, ip, userAgent, now: at })
  await Promise.all([visit('83.0.0.1', 'Firefox'), visit('83.0.0.1', 'Firefox'), visit('83.0.0.1', 'Firefox')])
  await visit('83.0.0.1', 'Safari')
  await visit('83.0.0.2', 'Firefox')
  await visit('83.0.0.2', 'Googlebot/2.1')
  await visit('83.0.0.2', undefined)
  await api.anonymous(routes.countClick, { params: { code: 'nobody-has-it' } })
  expect(await see(affiliate)).toMatchObject({ clicks: 3 })
  await visit('83.0.0.1', 'Firefox', later(1))
  await forgetVisitors(api.context, later(1))
  expect((await see(affiliate)).clicks).toBe(4)
  const kept = await api.context.db.selectFrom('affiliate_visitors').selectAll().execute()
  expect(kept).toHaveLength(1)
  expect((await see(affiliate)).days.at(-1)).toMatchObject({ clicks: 3 })
})

test('all affiliates are there as a file for spreadsheets', async () => {
  const response = await fetch(`${api.origin}/api/v1/admin/affiliates.csv`, { headers: { cookie: admin.cookie() } })
  const lines = (await response.text()).trim().split('\r\n')
  expect(lines[0]).toBe('user,state,website,applied,clicks,sign_ups,flagged,earned')
  const { count } = await admin.call(routes.listAffiliates, {})
  expect(lines).toHaveLength(count + 1)
})

test('whatever is paid in and given back, in whatever order, the shares are those of a model', async () => {
  const affiliate = await makeAffiliate()
  const invited = await bring(affiliate)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 500, max: 30_000 }) }),
    fc.record({ kind: fc.constant('back' as const), which: fc.nat(), percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('release' as const) }),
    fc.record({ kind: fc.constant('use' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  )
  const payments: { id: string; amount: number; back: number }[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const one of steps) {
        if (one.kind === 'pay') {
          payments.push({ id: await payIn(api.context, invited, one.amount), amount: one.amount, back: 0 })
        } else if (one.kind === 'back' && payments.length > 0) {
          const payment = payments[one.which % payments.length]!
          const amount = Math.floor(((payment.amount - payment.back) * one.percent) / 100)
          if (amount > 0) await giveBack(api.context, invited, payment.id, amount)
          payment.back += amount
        } else if (one.kind === 'use') {
          const { available } = await earnings(affiliate)
          const amount = Math.floor((available * one.percent) / 100)
          if (amount > 0) expect(await payOut(affiliate, amount, walletOf(affiliate))).toBe('success')
        }
        await handleReferrals(api.context, new Date())
        if (one.kind === 'release') await releaseCommissions(api.context, later(40))
        const due = payments.map(({ amount, back }) => (amount - back < 500 && back > 0 ? 0 : amount - back))
        const most = payments.reduce((sum, { amount, back }) => sum + commissionOf(amount - back, 10), 0)
        const least = due.reduce((sum, kept) => sum + commissionOf(kept, 10), 0)
        const { pending, available, paid, owed } = await earnings(affiliate)
        const held = pending + available + paid - owed
        expect(held).toBeLessThanOrEqual(most)
        expect(held).toBeGreaterThanOrEqual(least)
        expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
      }
    }),
    { numRuns: isLong ? 6 : 3 },
  )
})
