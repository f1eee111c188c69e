/** Withdrawal by what was paid: in which currency, with whose consent, and for how long nobody pays for what they use. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  getService,
  listServiceAddOns,
  getServiceUpgrade,
  renewService,
} from '@wakestone/contract/sales/billings-routes'
import { getEarlyStart } from '@wakestone/contract/sales/withdrawals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { fill } from '../../../../../../tests/support/money/sales.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { addToService } from '#src/features/sales/plans/add-ons.ts'
import { changeService } from '#src/features/sales/plans/change.ts'
import { renewService as renewAt } from '#src/features/sales/renewals/service.ts'
import { confirmWithdrawal, declareWithdrawal, showWithdrawal } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const day = 86_400_000
const month = 1844
const funds = 20_000

let api: TestApi
let owner: Caller
let zlotys: string
let euros: string
let begun: number
beforeAll(async () => void (api = await startTestApi()))
afterAll(() => api.close())
beforeEach(async () => {
  owner = await api.signUp()
  zlotys = await topUp(api.context, owner, funds)
  euros = owner.user.wallets.find(({ currency }) => currency === 'EUR')?.id ?? ''
  await fill(api.context, euros, 'EUR', funds)
  begun = Date.now()
})

const rent = async (more: Parameters<typeof order>[2] = {}) =>
  (await owner.call(createServer, { body: order(zlotys, '1.21.4', more) })).service_id
const at = (days: number) => new Date(begun + days * day)
const balance = async (id: string) => (await owner.call(getWallet, { params: { id } })).balance.amount
const request = (serviceId: string, days: number) => ({ serviceId, executorId: owner.user.id, now: at(days) })
const renew = (serviceId: string, days: number, more: { wallet_id?: string; immediate?: boolean } = {}) =>
  renewAt(api.context, {
    ...request(serviceId, days),
    key: `${days}`,
    body: { billing_period: '720h', wallet_id: zlotys, ...more },
  })
const upgrade = (serviceId: string, days: number, more: object) =>
  changeService(api.context, {
    ...request(serviceId, days),
    key: `${days}`,
    used: 0,
    body: { product_id: 'AMETHYST', wallet_id: zlotys, when: 'now', ...more },
  })
const show = (serviceId: string, days: number) => showWithdrawal(api.context.db, serviceId, at(days))
async function withdraw(serviceId: string, days: number, part?: 'latest') {
  const { declaration_id } = await declareWithdrawal(api.context, { ...request(serviceId, days), part })
  return confirmWithdrawal(api.context, { ...request(serviceId, days), declarationId: declaration_id ?? '' })
}
const serviceOf = (serviceId: string) =>
  api.context.db.selectFrom('services').selectAll().where('id', '=', serviceId).executeTakeFirstOrThrow()
const set = (serviceId: string, change: object) =>
  api.context.db.updateTable('services').set(change).where('id', '=', serviceId).execute()

describe('a currency', () => {
  test('is kept as long as what was paid in it may come back, also of an add-on alone', async () => {
    const serviceId = await rent({ immediate: true })
    const params = { id: serviceId }
    const body = { billing_period: '720h' as const, wallet_id: euros }
    expect((await owner.call(getService, { params })).renewal_currency).toBe('PLN')
    expect(await outcomeOf(owner.call(renewService, { params, body }))).toBe('wallet_has_other_currency')
    expect([await balance(zlotys), await balance(euros)]).toEqual([funds - month, funds])
    // Also after the 14 days, as long as there is time left.
    expect(await outcomeOf(renew(serviceId, 29, { wallet_id: euros }))).toBe('wallet_has_other_currency')
    await addToService(api.context, {
      ...request(serviceId, 1),
      key: 'add',
      body: { product_id: 'EXTRA_STORAGE_10G', wallet_id: zlotys },
    })
    await set(serviceId, { value_held: '[]' })
    expect(await outcomeOf(renew(serviceId, 29, { wallet_id: euros }))).toBe('wallet_has_other_currency')
    expect(await outcomeOf(renew(serviceId, 31, { wallet_id: euros }))).toBe('success')
    expect(await outcomeOf(renew(serviceId, 32))).toBe('wallet_has_other_currency')
    const before = await balance(euros)
    const { refund } = await withdraw(serviceId, 40)
    expect(refund.currency).toBe('EUR')
    expect(await balance(euros)).toBe(before + refund.amount)
    expect(await balance(euros)).toBe(funds)
  })

  test.runIf(isLong)(
    'of time that costs nothing may change; a contract that was withdrawn from binds nobody',
    async () => {
      const free = await rent({ requested_billing_services: ['FREE'] })
      expect((await owner.call(getService, { params: { id: free } })).renewal_currency).toBeNull()
      const serviceId = await rent()
      await withdraw(serviceId, 5)
      expect(await outcomeOf(renew(serviceId, 6, { wallet_id: euros, immediate: true }))).toBe('success')
      const { refund } = await withdraw(serviceId, 7)
      expect(refund.currency).toBe('EUR')
      expect(await balance(zlotys)).toBe(funds)
    },
  )

  test('never changes on the way back: what was paid in two by mistake waits for somebody', async () => {
    for (const immediate of [true, false]) {
      const serviceId = await rent({ immediate })
      await set(serviceId, { currency: 'EUR', wallet_id: euros })
      expect(await show(serviceId, 3)).toMatchObject({ obstacle: 'other_currency', refund: { amount: 0 } })
      expect(await outcomeOf(withdraw(serviceId, 3))).toBe('withdrawal_not_possible')
    }
    expect([await balance(zlotys), await balance(euros)]).toEqual([funds - 2 * month, funds])
  })

  test.runIf(isLong)('of an add-on keeps a plan from a new period, too', async () => {
    const serviceId = await rent({ immediate: true })
    await addToService(api.context, {
      ...request(serviceId, 1),
      key: 'add',
      body: { product_id: 'EXTRA_STORAGE_10G', wallet_id: zlotys },
    })
    const { add_ons } = await owner.call(listServiceAddOns, { params: { id: serviceId } })
    const row = await api.context.db
      .selectFrom('services')
      .select('value_held')
      .where('id', '=', add_ons[0]?.service_id ?? '')
      .executeTakeFirstOrThrow()
    const spans = (row.value_held as object[]).map((span) => ({ ...span, currency: 'EUR' }))
    await set(add_ons[0]?.service_id ?? '', { value_held: JSON.stringify(spans) })
    const { upgrade_targets } = await owner.call(getServiceUpgrade, { params: { id: serviceId } })
    expect(upgrade_targets.find(({ product }) => product.id === 'AMETHYST')?.obstacle).toBe('other_currency')
  })
})

describe('each payment', () => {
  test.runIf(isLong).each([true, false])(
    'a free server that is paid for later: its 14 days and its consent (%s) are of that payment',
    async (immediate) => {
      const serviceId = await rent({ requested_billing_services: ['FREE'] })
      await set(serviceId, { created_at: at(-20) })
      expect((await show(serviceId, 0)).obstacle).toBe('too_late')
      await upgrade(serviceId, 0, { product_id: 'GRASS', billing_period: '720h', immediate })
      const paid = funds - (await balance(zlotys))
      expect(paid).toBe(month)
      const shown = await show(serviceId, 10)
      expect(shown).toMatchObject({ obstacle: null, immediate, renewal: null, change: null })
      expect(Math.abs(Date.parse(shown.deadline) - at(14).getTime())).toBeLessThan(60_000)
      const { refund } = await withdraw(serviceId, 10)
      expect(Math.abs(refund.amount - (immediate ? (paid * 2) / 3 : paid))).toBeLessThanOrEqual(1)
      expect(await balance(zlotys)).toBe(funds - paid + refund.amount)
    },
  )

  test('an upgrade that was to begin at once costs the time used, the order that was not comes back whole; and the other way round', async () => {
    for (const isOrder of [false, true]) {
      const before = await balance(zlotys)
      const serviceId = await rent({ immediate: isOrder })
      await upgrade(serviceId, 0, { immediate: !isOrder })
      const paid = before - (await balance(zlotys)) - month
      const { refund } = await withdraw(serviceId, 10)
      const expected = isOrder ? (month * 2) / 3 + paid : month + (paid * 2) / 3
      expect(Math.abs(refund.amount - expected)).toBeLessThanOrEqual(2)
      owner = await api.signUp()
      zlotys = await topUp(api.context, owner, funds)
    }
  })

  test.runIf(isLong)(
    'counts for a new period, and what of it is used once that was to begin at once does not come back',
    async () => {
      for (const immediate of [true, false]) {
        const before = await balance(zlotys)
        const serviceId = await rent({ immediate })
        await renew(serviceId, 0)
        await upgrade(serviceId, 3, { billing_period: '720h', immediate: true })
        const paid = before - (await balance(zlotys))
        // Three of its days were asked for, or were not; and then ten of thirty.
        const lost = 5534 / 3 + (immediate ? month / 10 : 0)
        const { refund } = await withdraw(serviceId, 13)
        expect(Math.abs(paid - refund.amount - lost)).toBeLessThanOrEqual(3)
        owner = await api.signUp()
        zlotys = await topUp(api.context, owner, funds)
      }
    },
  )

  test.runIf(isLong)('what is renewed after a withdrawal from the contract is withdrawn from by itself', async () => {
    const serviceId = await rent({ immediate: true })
    await withdraw(serviceId, 2)
    const between = await balance(zlotys)
    await renew(serviceId, 3, { immediate: true })
    const shown = await show(serviceId, 13)
    expect(shown).toMatchObject({ obstacle: null, renewal: { at: at(3).toISOString() }, immediate: true })
    const { refund } = await withdraw(serviceId, 13)
    expect(Math.abs(refund.amount - (month * 2) / 3)).toBeLessThanOrEqual(1)
    expect(await balance(zlotys)).toBe(between - month + refund.amount)
    expect(await show(serviceId, 14)).toMatchObject({ obstacle: 'withdrawn', refund, renewal: expect.any(Object) })
  })
})

describe('a renewal', () => {
  /** The contract's 14 days are over, and its time: it is renewed on day 31. */
  async function renewed(immediate: boolean): Promise<{ serviceId: string; price: number }> {
    const serviceId = await rent({ requested_billing_services: ['AMETHYST'], immediate: true })
    const before = await balance(zlotys)
    await renew(serviceId, 31, { immediate })
    return { serviceId, price: before - (await balance(zlotys)) }
  }

  test.runIf(isLong).each([false, true])(
    'that was to begin at once (%s) comes back less what a downgrade has given back, and less what was used only if it was',
    async (immediate) => {
      const { serviceId, price } = await renewed(immediate)
      const { amount } = await upgrade(serviceId, 44, { product_id: 'GRASS' })
      const credit = -amount.amount
      expect(credit).toBeGreaterThan(2000)
      const { refund } = await withdraw(serviceId, 44.5, 'latest')
      const left = Math.floor((price * 17) / 30) - credit
      if (immediate) expect(Math.abs(refund.amount - (left * 16.5) / 17)).toBeLessThanOrEqual(2)
      else expect(refund.amount).toBe(price - credit)
      expect(await balance(zlotys)).toBe(funds - price + credit + refund.amount - price)
    },
  )

  test.runIf(isLong).each([false, true])(
    'and an upgrade within it come back each by what was asked for with it (the renewal: %s)',
    async (immediate) => {
      const serviceId = await rent({ immediate: true })
      await renew(serviceId, 31, { immediate })
      const before = await balance(zlotys)
      await upgrade(serviceId, 34, { immediate: !immediate })
      const paid = before - (await balance(zlotys))
      const { refund } = await withdraw(serviceId, 43)
      // Twelve of thirty days are used, and of the upgrade's 27 nine.
      const expected = immediate ? (month * 18) / 30 + paid : month + (paid * 18) / 27
      expect(Math.abs(refund.amount - expected)).toBeLessThanOrEqual(2)
    },
  )

  test.runIf(isLong)(
    'that nobody asked to begin gives back an upgrade, too, but not what that was paid for the time before it',
    async () => {
      const serviceId = await rent({ immediate: true })
      await renew(serviceId, 24)
      const before = await balance(zlotys)
      await upgrade(serviceId, 26, {})
      const paid = before - (await balance(zlotys))
      const { refund } = await withdraw(serviceId, 37)
      expect(Math.abs(refund.amount - month - (paid * 30) / 34)).toBeLessThanOrEqual(2)
    },
  )
})

describe('whoever was given all back of what had begun', () => {
  test.runIf(isLong)('asks in the year after that for what they buy to begin at once', async () => {
    const other = await rent({ immediate: true })
    const serviceId = await rent()
    const asked = () => owner.call(getEarlyStart, { params: { id: owner.user.id } })
    expect(await asked()).toEqual({ required: false })
    await renew(serviceId, 29)
    expect((await withdraw(serviceId, 42)).refund.amount).toBe(month) // twelve days into it
    const before = await balance(zlotys)
    expect(await asked()).toEqual({ required: true })
    const body = order(zlotys, '1.21.4')
    await expect(owner.call(createServer, { body })).rejects.toMatchObject({
      body: { error: 'invalid_request', fields: { immediate: 'required' } },
    })
    expect(await outcomeOf(renew(serviceId, 43))).toBe('invalid_request')
    expect(await outcomeOf(upgrade(other, 20, {}))).toBe('invalid_request')
    const addition = { ...request(other, 20), key: 'add' }
    const addOn = { product_id: 'EXTRA_STORAGE_10G', wallet_id: zlotys }
    expect(await outcomeOf(addToService(api.context, { ...addition, body: addOn }))).toBe('invalid_request')
    expect(await balance(zlotys)).toBe(before)
    // What costs nothing, what begins later, and what is asked for.
    expect(await outcomeOf(rent({ requested_billing_services: ['FREE'] }))).toBe('success')
    expect(await outcomeOf(renew(other, 10))).toBe('success')
    expect(await outcomeOf(upgrade(other, 20, { immediate: true }))).toBe('success')
    expect(await outcomeOf(addToService(api.context, { ...addition, body: { ...addOn, immediate: true } }))).toBe(
      'success',
    )
    expect(await outcomeOf(renew(serviceId, 43, { immediate: true }))).toBe('success')
    // What renews itself, as ever; and after a year.
    await set(serviceId, { auto_renew: true })
    const { expires } = await serviceOf(serviceId)
    await renewAt(api.context, { ...automatic(serviceId, 72), decidedBy: expires! })
    expect((await serviceOf(serviceId)).expires).not.toEqual(expires)
    expect(await outcomeOf(renew(serviceId, 42 + 366))).toBe('success')
  })
  const automatic = (serviceId: string, days: number) => ({
    ...request(serviceId, days),
    executorId: null,
    key: 'by itself',
    body: { billing_period: '720h' as const, wallet_id: zlotys },
  })

  test('not whoever paid for the time used, had not begun, or is a company', async () => {
    const serviceId = await rent({ immediate: true })
    await renew(serviceId, 20)
    expect((await withdraw(serviceId, 25)).refund.amount).toBe(month)
    expect(await outcomeOf(rent())).toBe('success')
    const other = await rent({ immediate: true })
    await withdraw(other, 5)
    const third = await rent()
    await withdraw(third, 5)
    expect(await outcomeOf(rent())).toBe('invalid_request')
    const company = {
      kind: 'company',
      name: 'Firma',
      nip: '5260001246',
      address: 'ul. Długa 1',
      country: 'PL',
    } as const
    const body = { ...company, postal_code: '80-001', city: 'Gdańsk', language: 'pl' } as const
    await owner.call(setTaxData, { params: { id: owner.user.id }, body })
    expect(await outcomeOf(rent())).toBe('success')
  })
})
