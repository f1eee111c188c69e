/** A VAT id that the EU's register confirms late: what was charged with VAT meanwhile is put right, once, to the cent. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { payIn } from '../../../../../../tests/support/direct-payments.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { issueDueDocuments } from '#src/features/invoicing/invoices/issue.ts'
import type { Snapshot } from '#src/features/invoicing/invoices/snapshot.ts'
import { changeService } from '#src/features/sales/plans/change.ts'
import { taxTopUp } from '#src/features/money/taxed-balances/service.ts'
import { ensureTaxSettings } from '#src/features/money/taxes/service.ts'
import { noteAnswer } from '#src/features/money/tax-data/repo.ts'
import { handleAnswers } from './service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** GRASS for 720 h: net, and with Germany's 19 %. */
const [net, gross] = [1499, 1784]

let api: TestApi
beforeAll(async () => void (api = await startTestApi()))
afterEach(async () => {
  await taxAt('purchase')
  const faults = await findLedgerFaults(api.context.database.pool)
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})
afterAll(() => api.close())

const taxAt = (point: 'purchase' | 'deposit') =>
  ensureTaxSettings({
    db: api.context.db,
    settings: { ...api.context.settings, TOP_UP_TAX_POINT: point },
  })
const company = {
  kind: 'company' as const,
  name: 'Latarnia GmbH',
  tax_id: 'DE136695976',
  address: 'Long Street 1',
  postal_code: '10115',
  city: 'Berlin',
  country: 'DE',
  language: 'en' as const,
}
const walletOf = ({ user }: Caller) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''
const see = async (buyer: Caller) => {
  const { balance, non_refundable } = await buyer.call(getWallet, { params: { id: walletOf(buyer) } })
  return [balance.amount, non_refundable.amount]
}
/** A company whose VAT id nobody has confirmed, with money in its wallet. */
async function unconfirmed(): Promise<Caller> {
  const buyer = await api.signUp()
  await buyer.call(setTaxData, { params: { id: buyer.user.id }, body: company })
  const depositId = await payIn(api.context, buyer, 10_000)
  await inTransaction(api.context.db, (trx) =>
    taxTopUp(trx, { depositId, provider: 'payu', walletId: walletOf(buyer), amount: 10_000 }),
  )
  return buyer
}
async function answer({ user }: Caller, state: 'valid' | 'invalid') {
  const { id } = await api.context.db
    .selectFrom('tax_id_checks')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  await noteAnswer(api.context.db, id, { state, consultationNumber: 'WAPIAAAA' })
}
const handle = () => handleAnswers(api.context, new Date())
async function documentsOf({ call, user }: Caller) {
  for (const hours of [0, 1, 2]) await issueDueDocuments(api.context, new Date(Date.now() + hours * 3_600_000))
  const { data } = await call(listUserInvoices, { params: { id: user.id } })
  return data.toReversed().map((one) => [one.kind, one.treatment, one.net, one.vat])
}

/** What credit notes give as their reason. */
async function reasonsOf({ user }: Caller) {
  const notes = await api.context.db
    .selectFrom('documents')
    .select('snapshot')
    .where('user_id', '=', user.id)
    .where('kind', '=', 'credit_note')
    .execute()
  return notes.map(({ snapshot }) => (snapshot as Snapshot).reason?.pl)
}

test('confirmed after the sale: credit note, new invoice without VAT, the VAT in the wallet; once, however often', async () => {
  const buyer = await unconfirmed()
  const server = await buyer.call(createServer, { body: order(walletOf(buyer), '1.21.4') })
  expect(await see(buyer)).toEqual([10_000 - gross, 0])
  await handle() // nothing is known yet
  await answer(buyer, 'valid')
  await Promise.all([handle(), handle()])
  await handle()
  expect(await see(buyer)).toEqual([10_000 - net, 0])
  expect(await documentsOf(buyer)).toEqual([
    ['invoice', 'destination', net, gross - net],
    ['credit_note', 'destination', -net, net - gross],
    ['invoice', 'reverse_charge', net, 0],
  ])
  expect(await reasonsOf(buyer)).toEqual(['korekta VAT: numer VAT nabywcy potwierdzono po sprzedaży'])
  const told = await api.context.db
    .selectFrom('notifications')
    .select('fields')
    .where('user_id', '=', buyer.user.id)
    .where('kind', '=', 'TAX_CORRECTED')
    .execute()
  expect(told).toEqual([{ fields: { amount: { amount: gross - net, currency: 'PLN' } } }])
  // No more comes back of the time than is paid for it now.
  const service = await api.context.db
    .selectFrom('services')
    .select('value_held')
    .where('id', '=', server.service_id)
    .executeTakeFirstOrThrow()
  expect(service.value_held).toMatchObject([{ payments: [{ amount: net, vatRate: 0, country: 'DE' }] }])
})

test('what was given back meanwhile is not given back again', async () => {
  const buyer = await unconfirmed()
  const server = await buyer.call(createServer, {
    body: order(walletOf(buyer), '1.21.4', { requested_billing_services: ['AMETHYST'] }),
  })
  const [before = 0] = await see(buyer)
  await changeService(api.context, {
    serviceId: server.service_id,
    executorId: buyer.user.id,
    key: 'down',
    now: new Date(),
    used: 0,
    body: { product_id: 'GRASS', wallet_id: walletOf(buyer), when: 'now' },
  })
  const [balance = 0, credit = 0] = await see(buyer)
  const kept = 10_000 - before - (balance - before) // gross, of what was not given back
  await answer(buyer, 'valid')
  await handle()
  const vat = kept - Math.round((kept * 100) / 119)
  const [after = 0, creditAfter] = await see(buyer)
  expect(Math.abs(after - balance - vat)).toBeLessThanOrEqual(1)
  expect(creditAfter).toBeLessThanOrEqual(credit)
  const documents = await documentsOf(buyer)
  const sum = (index: 2 | 3) => documents.reduce((total, row) => total + (row[index] as number), 0)
  expect(sum(3)).toBe(0)
  expect(sum(2)).toBe(10_000 - after)
})

test.runIf(isLong)(
  'an id that is refused, and a buyer whose data say something else by then, pay what they paid',
  async () => {
    const refused = await unconfirmed()
    await refused.call(createServer, { body: order(walletOf(refused), '1.21.4') })
    await answer(refused, 'invalid')
    const changed = await unconfirmed()
    await changed.call(createServer, { body: order(walletOf(changed), '1.21.4') })
    const { tax_id: _, ...person } = company
    await changed.call(setTaxData, { params: { id: changed.user.id }, body: { ...person, kind: 'person' } })
    await answer(changed, 'valid')
    await handle()
    for (const buyer of [refused, changed]) expect(await see(buyer)).toEqual([10_000 - gross, 0])
  },
)

test('top-ups that were taxed as they came in are taxed by the other rule, spent or not', async () => {
  await taxAt('deposit')
  const buyer = await unconfirmed()
  await buyer.call(createServer, { body: order(walletOf(buyer), '1.21.4') })
  await answer(buyer, 'valid')
  await handle()
  await handle()
  expect(await see(buyer)).toEqual([10_000 - net, 0])
  const vat = 10_000 - Math.round(10_000 / 1.19)
  expect(await documentsOf(buyer)).toEqual([
    ['invoice', 'destination', 10_000 - vat, vat],
    ['credit_note', 'destination', vat - 10_000, -vat],
    ['invoice', 'reverse_charge', 10_000, 0],
  ])
  expect(await reasonsOf(buyer)).toEqual(['korekta VAT: numer VAT nabywcy potwierdzono po sprzedaży'])
})
