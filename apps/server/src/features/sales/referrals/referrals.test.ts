import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/sales/referrals-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const ownCode = async ({ call, user }: Caller) =>
  (await call(routes.getOwnReferralCode, { params: { id: user.id } })).referral_code
const change = ({ call, user }: Caller, oldRef: string, code: string) =>
  call(routes.changeReferralCode, { params: { userId: user.id, oldRef }, body: { code } })
const setReferrer = ({ call, user }: Caller, code: string) =>
  outcomeOf(call(routes.setReferrer, { params: { userId: user.id }, body: { code } }))

describe('a code', () => {
  test('is made once, also when two ask at once, and says what it gives', async () => {
    const owner = await api.signUp()
    const codes = await Promise.all(Array.from({ length: 5 }, () => ownCode(owner)))
    expect(new Set(codes).size).toBe(1)
    const [code = ''] = codes
    const ref = code.toUpperCase()
    expect(await api.anonymous(routes.validateReferralCode, { params: { ref } })).toEqual({ additional_time: 24 })
    expect(await outcomeOf(owner.call(routes.checkReferralCode, { params: { code } }))).toBe('success')
    expect(await outcomeOf(owner.call(routes.checkReferralCode, { params: { code: 'nobody-has-it' } }))).toBe(
      'resource_not_found',
    )
    expect(await outcomeOf(api.anonymous(routes.validateReferralCode, { params: { ref: 'nobody-has-it' } }))).toBe(
      'resource_not_found',
    )
  })

  test('can be chosen: the old one keeps working and never becomes somebody else’s', async () => {
    const owner = await api.signUp()
    const other = await api.signUp()
    const [first, theirs] = [await ownCode(owner), await ownCode(other)]
    expect((await change(owner, first, 'Night-Shift')).referral_code).toBe('Night-Shift')
    expect(await ownCode(owner)).toBe('Night-Shift')
    expect(await outcomeOf(change(other, theirs, 'night-shift'))).toBe('resource_already_exists')
    expect(await outcomeOf(change(other, theirs, first))).toBe('resource_already_exists')
    expect(await outcomeOf(change(other, first, 'mine-now'))).toBe('resource_not_found')
    const invited = await api.signUp()
    expect(await setReferrer(invited, first)).toBe('success')
  })

  test('is not chosen more often than three times in a month', async () => {
    const owner = await api.signUp()
    let code = await ownCode(owner)
    const answers = []
    for (const next of ['one-lantern', 'two-lanterns', 'three-lanterns', 'four-lanterns']) {
      answers.push(await outcomeOf(change(owner, code, next)))
      code = await ownCode(owner)
    }
    expect(answers).toEqual(['success', 'success', 'success', 'too_many_requests'])
  })
})

describe('a referrer', () => {
  test('is set once, and shown', async () => {
    const [referrer, other, invited] = [await api.signUp(), await api.signUp(), await api.signUp()]
    const code = await ownCode(referrer)
    expect(invited.user.referrer_code_id).toBeNull()
    expect(await setReferrer(invited, 'nobody-has-it')).toBe('resource_not_found')
    expect(await setReferrer(invited, code)).toBe('success')
    const { referrer_code_id } = await invited.call(users.verify, { query: { simple: '1' } })
    const shown = await invited.call(routes.getReferralCode, { params: { id: referrer_code_id ?? '' } })
    expect(shown).toEqual({ referral_code: code, additional_time: 24 })
    expect(await setReferrer(invited, code)).toBe('resource_already_exists')
    expect(await setReferrer(invited, await ownCode(other))).toBe('resource_already_exists')
  })

  test('is not oneself, by any of one’s codes, and not set for somebody else', async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()]
    const first = await ownCode(owner)
    await change(owner, first, 'my-own-second')
    expect(await setReferrer(owner, first)).toBe('referral_not_allowed')
    expect(await setReferrer(owner, 'my-own-second')).toBe('referral_not_allowed')
    const params = { userId: other.user.id }
    expect(await outcomeOf(owner.call(routes.setReferrer, { params, body: { code: first } }))).toBe('user_not_found')
  })

  test.runIf(isLong)('is nobody whom one has brought, over however many others', async () => {
    const chain = [await api.signUp(), await api.signUp(), await api.signUp(), await api.signUp()]
    for (const [at, user] of chain.entries())
      if (at > 0) expect(await setReferrer(user, await ownCode(chain[at - 1] as Caller))).toBe('success')
    const [first, , , last] = chain as [Caller, Caller, Caller, Caller]
    expect(await setReferrer(first, await ownCode(last))).toBe('referral_not_allowed')
  })

  test.runIf(isLong)('set by all in a ring at the same moment leaves the ring open', async () => {
    const ring = [await api.signUp(), await api.signUp(), await api.signUp()]
    const codes = await Promise.all(ring.map(ownCode))
    const answers = await Promise.all(ring.map((user, at) => setReferrer(user, codes[(at + 1) % 3] ?? '')))
    expect(answers.sort()).toEqual(['referral_not_allowed', 'success', 'success'])
  })
})
