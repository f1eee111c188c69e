/** Withdrawal in two steps through the front door: who may, what is given back, and what becomes of the rest. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listUserInvoices } from '@wakestone/contract/routes/invoices'
import { createServer } from '@wakestone/contract/routes/servers'
import { setTaxData } from '@wakestone/contract/routes/tax-data'
import { getWallet } from '@wakestone/contract/routes/wallets'
import { confirmWithdrawal, declareWithdrawal, getWithdrawal } from '@wakestone/contract/routes/withdrawals'
import { type Caller, startTestApi, type TestApi } from '../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../tests/support/servers.ts'
import { issueDueDocuments } from '#src/features/invoices/issue.ts'
import { confirmWithdrawal as confirmAt, declareWithdrawal as declareAt, showWithdrawal } from './service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let api: TestApi
beforeAll(async () => void (api = await startTestApi()))
afterAll(() => api.close())

const day = 86_400_000

async function rent(
  immediate: boolean,
): Promise<{ owner: Caller; walletId: string; serviceId: string; bought: number }> {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4', { immediate }) })
  return { owner, walletId, serviceId: server.service_id, bought: Date.now() }
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
  const told = await api.context.db
    .selectFrom('notifications')
    .select('fields')
    .where('kind', '=', 'WITHDRAWAL_CONFIRMED')
    .where('user_id', '=', owner.user.id)
    .execute()
  expect(told).toEqual([{ fields: expect.objectContaining({ product: 'GRASS', amount: done.refund }) }])

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
  const { owner, walletId, serviceId } = await rent(false)
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
  await expect(owner.call(declareWithdrawal, { params })).rejects.toThrow('withdrawal_not_possible')
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
