/** Withdrawal in two steps through the front door: who may, what is given back, and what becomes of the rest. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { confirmWithdrawal, declareWithdrawal, getWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { handleServiceClock } from '#src/features/sales/renewals/service-clock.ts'
import { issueDueDocuments } from '#src/features/invoicing/invoices/issue.ts'
import { addToService } from '#src/features/sales/plans/add-ons.ts'
import { changeService } from '#src/features/sales/plans/change.ts'
import { renewService } from '#src/features/sales/renewals/service.ts'
import { confirmWithdrawal as confirmAt, declareWithdrawal as declareAt, showWithdrawal } from './service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let api: TestApi
beforeAll(async () => void (api = await startTestApi()))
afterAll(() => api.close())

const day = 86_400_000

async function rent(
  immediate: boolean,
): Promise<{ owner: Caller; walletId: string; serviceId: string; serverId: string; bought: number }> {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4', { immediate }) })
  return { owner, walletId, serviceId: server.service_id, serverId: server.id, bought: Date.now() }
}
const balance = async ({ call }: Caller, walletId: string) => {
  const wallet = await call(getWallet, { params: { id: walletId } })
  return [wallet.balance.amount, wallet.non_refundable.amount]
}

test('what was asked to begin at once costs the time used; declared first, then confirmed, once', async () => {
  const { owner, walletId, serviceId, bought } = await rent(true)
  const request = { serviceId, executorId: owner.user.id, now: new Date(bought + 10 * day) }
  const declared = await declareAt(api.context, request)
  expect(declared).toMatchObject({ obstacle: null, immediate: true, confirmed_at: null })
  expect(await balance(owner, walletId)).toEqual([10_000 - 1844, 0])
  const declarationId = declared.declaration_id ?? ''
  expect((await declareAt(api.context, request)).declaration_id).toBe(declarationId)
  const done = await confirmAt(api.context, { ...request, declarationId })
  // 20 of 30 days are left, but for the moment the purchase took.
  expect(done.refund.amount).toBeGreaterThanOrEqual(Math.floor((1844 * 2) / 3) - 1)
  expect(done.refund.amount).toBeLessThanOrEqual(Math.ceil((1844 * 2) / 3))
  expect(await balance(owner, walletId)).toEqual([10_000 - 1844 + done.refund.amount, 0])
  expect(await confirmAt(api.context, { ...request, declarationId })).toMatchObject({
    obstacle: 'withdrawn',
    refund: done.refund,
  })
  expect(await balance(owner, walletId)).toEqual([10_000 - 1844 + done.refund.amount, 0])
  const service = await api.context.db.selectFrom('services').selectAll().where('id', '=', serviceId).executeTakeFirst()
  expect(service).toMatchObject({ expires: request.now, auto_renew: false })
  // No second message says that the server has expired and asks to renew it.
  await handleServiceClock(api.context, new Date(request.now.getTime() + 60_000))
  const told = await api.context.db
    .selectFrom('notifications')
    .select(['kind', 'fields'])
    .where('kind', 'in', ['WITHDRAWAL_CONFIRMED', 'SERVER_EXPIRED'])
    .where('user_id', '=', owner.user.id)
    .execute()
  const deletedAt = new Date(request.now.getTime() + 14 * day).toISOString()
  const fields = expect.objectContaining({ product: 'GRASS', amount: done.refund, deleted_at: deletedAt })
  expect(told).toEqual([{ kind: 'WITHDRAWAL_CONFIRMED', fields }])
  expect(
    (await api.context.db.selectFrom('services').selectAll().where('id', '=', serviceId).executeTakeFirst())
      ?.expiry_noted,
  ).toEqual(request.now)

  await issueDueDocuments(api.context, new Date())
  await issueDueDocuments(api.context, new Date(Date.now() + 3_600_000))
  const { data } = await owner.call(listUserInvoices, { params: { id: owner.user.id } })
  expect(data.map(({ kind, gross }) => [kind, gross])).toEqual([
    ['credit_note', -done.refund.amount],
    ['receipt', 1844],
  ])
  expect(data[0]?.corrects?.number).toBe(data[1]?.number)
})

test('what nobody asked to begin at once is given back whole', async () => {
  const { owner, walletId, serviceId, serverId } = await rent(false)
  const params = { id: serviceId }
  expect(await owner.call(getWithdrawal, { params })).toMatchObject({
    obstacle: null,
    refund: { amount: 1844 },
    immediate: false,
  })
  await expect(owner.call(confirmWithdrawal, { params, body: { declaration_id: serviceId } })).rejects.toThrow(
    'withdrawal_not_possible',
  )
  const { declaration_id } = await owner.call(declareWithdrawal, { params })
  await owner.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
  expect(await balance(owner, walletId)).toEqual([10_000, 0])
  // The server says why it has ended, and so does its log: it has not just run out.
  const server = await owner.call(getServer, { params: { id: serverId } })
  expect(server).toMatchObject({ withdrawn_at: server.expires, status: { expired: true } })
  await handleServiceClock(api.context, new Date(Date.now() + 60_000))
  const events = await owner.call(listServerEvents, { params: { id: serverId } })
  const ends = events.data.filter(({ action }) => ['SERVICE_WITHDRAW', 'SERVER_EXPIRED'].includes(action))
  expect(ends).toMatchObject([{ action: 'SERVICE_WITHDRAW', executor: { id: owner.user.id } }])
  await expect(owner.call(declareWithdrawal, { params })).rejects.toThrow('withdrawal_not_possible')
})

test('a declaration that is confirmed too late is not answered as done, whatever was withdrawn from before', async () => {
  const { owner, walletId, serviceId, bought } = await rent(false)
  const at = (days: number) => ({ serviceId, executorId: owner.user.id, now: new Date(bought + days * day) })
  const whole = await declareAt(api.context, at(2))
  await confirmAt(api.context, { ...at(2), declarationId: whole.declaration_id ?? '' })
  await renewService(api.context, {
    ...at(3),
    body: { billing_period: '720h', wallet_id: walletId, immediate: true },
    key: 'renewal',
  })
  const late = await declareAt(api.context, at(16.9))
  expect(late.renewal).not.toBeNull()
  await expect(confirmAt(api.context, { ...at(17.1), declarationId: late.declaration_id ?? '' })).rejects.toThrow(
    'withdrawal_not_possible',
  )
})

describe('a renewal is withdrawn from alone, once the contract itself cannot be any more', () => {
  const hours = 3_600_000
  const month = 720 * hours
  /** A server rented for a month, and renewed on some days of it. */
  async function renewed(days: number[], more: { immediate?: boolean } = {}) {
    const rented = await rent(true)
    const { serviceId, walletId, owner, bought } = rented
    for (const after of days)
      await renewService(api.context, {
        serviceId,
        executorId: owner.user.id,
        body: { billing_period: '720h', wallet_id: walletId, ...more },
        key: `renewal-${after}`,
        now: new Date(bought + after * day),
      })
    const service = () =>
      api.context.db.selectFrom('services').selectAll().where('id', '=', serviceId).executeTakeFirstOrThrow()
    const withdraw = async (after: number) => {
      const request = { serviceId, executorId: owner.user.id, now: new Date(bought + after * day) }
      const { declaration_id } = await declareAt(api.context, request)
      return { done: await confirmAt(api.context, { ...request, declarationId: declaration_id ?? '' }), request }
    }
    const show = (after: number) => showWithdrawal(api.context.db, serviceId, new Date(bought + after * day))
    return { ...rented, service, withdraw, show, end: (await service()).expires?.getTime() ?? 0 }
  }

  test('before it began all of it comes back, and the end is what it was; confirmed again, nothing more', async () => {
    const one = await renewed([20])
    expect((await one.show(13)).renewal).toBeNull()
    expect(await one.show(29)).toMatchObject({
      obstacle: null,
      refund: { amount: 1844 },
      renewal: {
        at: new Date(one.bought + 20 * day).toISOString(),
        runs_until: new Date(one.end - month).toISOString(),
      },
    })
    const { done, request } = await one.withdraw(25)
    expect(done).toMatchObject({ obstacle: 'withdrawn', refund: { amount: 1844 }, declaration_id: null })
    expect(await balance(one.owner, one.walletId)).toEqual([10_000 - 1844, 0])
    expect((await one.service()).expires?.getTime()).toBe(one.end - month)
    const { id } = await api.context.db
      .selectFrom('withdrawals')
      .select('id')
      .where('service_id', '=', one.serviceId)
      .executeTakeFirstOrThrow()
    expect(await confirmAt(api.context, { ...request, declarationId: id })).toMatchObject({ obstacle: 'withdrawn' })
    expect(await balance(one.owner, one.walletId)).toEqual([10_000 - 1844, 0])
    expect(await one.show(26)).toMatchObject({ obstacle: 'withdrawn', refund: { amount: 1844 } })
  })

  test.runIf(isLong)(
    'once it has begun what is not used up comes back, where the buyer had asked for that, else all of it',
    async () => {
      for (const immediate of [true, false]) {
        const one = await renewed([28], { immediate })
        const { done } = await one.withdraw(36) // six days into it
        if (immediate) expect(Math.abs(done.refund.amount - (1844 * 24) / 30)).toBeLessThanOrEqual(1)
        else expect(done.refund.amount).toBe(1844)
        expect((await one.service()).expires?.getTime()).toBe(one.bought + 36 * day)
      }
    },
  )

  test.runIf(isLong)('the latest first, each by its own 14 days; not what a server renews by itself', async () => {
    const one = await renewed([15, 20])
    expect((await one.withdraw(25)).done.renewal?.at).toBe(new Date(one.bought + 20 * day).toISOString())
    expect((await one.show(30)).obstacle).toBe('withdrawn')
    expect((await one.withdraw(28)).done).toMatchObject({
      renewal: { at: new Date(one.bought + 15 * day).toISOString() },
    })
    expect((await one.service()).expires?.getTime()).toBe(one.end - 2 * month)
    expect(await balance(one.owner, one.walletId)).toEqual([10_000 - 1844, 0])

    const other = await renewed([20])
    await api.context.db.updateTable('services').set({ auto_renew: true }).where('id', '=', other.serviceId).execute()
    await renewService(api.context, {
      serviceId: other.serviceId,
      executorId: null,
      decidedBy: (await other.service()).expires!,
      body: { billing_period: '720h', wallet_id: other.walletId },
      key: 'by-itself',
      now: new Date(other.bought + 21 * day),
    })
    const { done } = await other.withdraw(22)
    expect(done.refund.amount).toBe(1844)
    // What comes after it moves up, and is worth what it was.
    const service = await other.service()
    expect(service.expires?.getTime()).toBe(other.end)
    expect(await other.show(22)).toMatchObject({ obstacle: 'withdrawn' })
    const spans = service.value_held as unknown as { from: number; until: number; payments: { amount: number }[] }[]
    expect(spans.at(-1)).toMatchObject({ until: other.end, payments: [{ amount: 1844 }] })
  })
})

describe('what was bought last is withdrawn from alone', () => {
  async function changed(
    rented: Awaited<ReturnType<typeof rent>>,
    { after, upgrade, immediate }: { after: number; upgrade: boolean; immediate?: boolean },
  ) {
    const { owner, serviceId, walletId, bought } = rented
    const request = { serviceId, executorId: owner.user.id, key: `at ${after}`, now: new Date(bought + after * day) }
    const body = { wallet_id: walletId, ...(immediate && { immediate }) }
    if (upgrade)
      await changeService(api.context, {
        ...request,
        used: 0,
        body: { ...body, product_id: 'AMETHYST', when: 'now' },
      })
    else await addToService(api.context, { ...request, body: { ...body, product_id: 'EXTRA_STORAGE_10G' } })
  }
  const rowsOf = (serviceId: string) =>
    api.context.db
      .selectFrom('services')
      .select(['product_id', 'expires', 'ended_at'])
      .where((row) => row.or([row('id', '=', serviceId), row('parent_id', '=', serviceId)]))
      .orderBy('id')
      .execute()
  async function withdraw({ owner, serviceId, bought }: Awaited<ReturnType<typeof rent>>, after: number, used = 0) {
    const request = { serviceId, executorId: owner.user.id, now: new Date(bought + after * day) }
    const { declaration_id } = await declareAt(api.context, { ...request, part: 'latest' })
    const confirmation = { ...request, declarationId: declaration_id ?? '', usedBy: () => Promise.resolve(used) }
    return { done: await confirmAt(api.context, confirmation), again: () => confirmAt(api.context, confirmation) }
  }

  test.runIf(isLong).each([true, false])(
    'an upgrade: the plan is what it was (begun at once: %s)',
    async (immediate) => {
      const one = await rent(true)
      const [before = 0] = await balance(one.owner, one.walletId)
      await changed(one, { after: 20, upgrade: true, immediate })
      const [between = 0] = await balance(one.owner, one.walletId)
      const shown = await showWithdrawal(api.context.db, one.serviceId, new Date(one.bought + 22 * day), 'latest')
      expect(shown).toMatchObject({
        obstacle: null,
        immediate,
        change: { kind: 'upgrade', product: 'AMETHYST', product_before: 'GRASS' },
      })
      const [was] = await rowsOf(one.serviceId)
      const { done, again } = await withdraw(one, 22)
      const paid = before - between
      // Two of ten days are used.
      expect(Math.abs(done.refund.amount - (immediate ? paid * 0.8 : paid))).toBeLessThanOrEqual(1)
      expect(await again()).toMatchObject({ obstacle: 'withdrawn', refund: done.refund, change: { kind: 'upgrade' } })
      expect(await balance(one.owner, one.walletId)).toEqual([between + done.refund.amount, 0])
      expect(await rowsOf(one.serviceId)).toEqual([{ ...was, product_id: 'GRASS' }])
      for (const hours of [0, 1]) await issueDueDocuments(api.context, new Date(Date.now() + hours * 3_600_000))
      const { data } = await one.owner.call(listUserInvoices, { params: { id: one.owner.user.id } })
      expect(data.map(({ kind, gross }) => [kind, gross])).toEqual([
        ['credit_note', -done.refund.amount],
        ['receipt', paid],
        ['receipt', 1844],
      ])
      expect(data[0]?.corrects?.number).toBe(data[1]?.number)
      // Bought again it costs no less than what it was worth: nothing is gained by going to and fro.
      await changed(one, { after: 22.001, upgrade: true, immediate: true })
      const [last = 0] = await balance(one.owner, one.walletId)
      expect(before - last).toBeGreaterThanOrEqual(Math.floor(immediate ? paid : paid * 0.8) - 2)
    },
  )

  test.runIf(isLong)(
    'an add-on: it is removed, as long as the files fit; also within the 14 days of the contract',
    async () => {
      const one = await rent(true)
      await changed(one, { after: 3, upgrade: false })
      const [between = 0] = await balance(one.owner, one.walletId)
      await withdraw(one, 4, 8 * 2 ** 30) // 10 GiB are the plan's own
      expect(await rowsOf(one.serviceId)).toMatchObject([
        { product_id: 'GRASS', ended_at: null },
        { product_id: 'EXTRA_STORAGE_10G', ended_at: new Date(one.bought + 4 * day) },
      ])
      expect((await balance(one.owner, one.walletId))[0]).toBeGreaterThan(between)
      await changed(one, { after: 5, upgrade: false, immediate: true })
      await expect(withdraw(one, 6, 15 * 2 ** 30)).rejects.toThrow('insufficient_storage')
      // The contract itself can be withdrawn from all the same.
      expect(await showWithdrawal(api.context.db, one.serviceId, new Date(one.bought + 7 * day))).toMatchObject({
        obstacle: null,
        change: null,
      })
    },
  )

  test.runIf(isLong)('a renewal after an upgrade goes first', async () => {
    const one = await rent(true)
    await changed(one, { after: 16, upgrade: true })
    await renewService(api.context, {
      serviceId: one.serviceId,
      executorId: one.owner.user.id,
      body: { billing_period: '720h', wallet_id: one.walletId },
      key: 'renewal',
      now: new Date(one.bought + 18 * day),
    })
    expect((await withdraw(one, 20)).done).toMatchObject({ renewal: { at: expect.any(String) }, change: null })
    expect((await withdraw(one, 21)).done).toMatchObject({ renewal: null, change: { kind: 'upgrade' } })
    expect(await balance(one.owner, one.walletId)).toEqual([10_000 - 1844, 0])
  })
})

test('a contract that is given back whole is so for the time before a change of the plan, too', async () => {
  const { owner, walletId, serviceId, bought } = await rent(false)
  const request = { serviceId, executorId: owner.user.id, now: new Date(bought + 5 * day) }
  const body = { product_id: 'AMETHYST', wallet_id: walletId, when: 'now' } as const
  await changeService(api.context, { ...request, key: 'up', used: 0, body })
  const later = { ...request, now: new Date(bought + 10 * day) }
  const { declaration_id } = await declareAt(api.context, later)
  await confirmAt(api.context, { ...later, declarationId: declaration_id ?? '' })
  expect(await balance(owner, walletId)).toEqual([10_000, 0])
})

test('it is for consumers, for 14 days, and for owners', async () => {
  const { owner, serviceId, bought } = await rent(true)
  const at = (days: number) => showWithdrawal(api.context.db, serviceId, new Date(bought + days * day))
  expect((await at(13.9)).obstacle).toBeNull()
  expect((await at(14.1)).obstacle).toBe('too_late')
  const admin = await api.signUp({ admin: true })
  await expect(admin.call(declareWithdrawal, { params: { id: serviceId } })).rejects.toThrow('access_denied')
  const body = {
    kind: 'company',
    name: 'Firma',
    nip: '5260001246',
    address: 'ul. Długa 1',
    postal_code: '80-001',
    city: 'Gdańsk',
    country: 'PL',
    language: 'pl',
  } as const
  await owner.call(setTaxData, { params: { id: owner.user.id }, body })
  expect((await at(1)).obstacle).toBe('business')
})
