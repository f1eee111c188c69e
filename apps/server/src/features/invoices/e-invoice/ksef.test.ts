/** E-invoices on their way to KSeF's simulator: login, encryption, numbers, refusals, and what dies on the way. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listInvoices, listUserInvoices, retryInvoice } from '@wakestone/contract/routes/invoices'
import { setTaxData } from '@wakestone/contract/routes/tax-data'
import { type KsefSimulator, startKsefSimulator } from '@wakestone/simulators/ksef'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { topUp } from '../../../../../../tests/support/servers.ts'
import { crc8, createKsef, isKsefNumber } from '#src/adapters/ksef/client.ts'
import { inTransaction } from '#src/db/client.ts'
import { chargeWallet } from '#src/features/wallets/service.ts'
import { issueDueDocuments } from '../issue.ts'
import { submitDueEInvoices } from './submit.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const nip = '5260001246'
const token = '20261120-EC-TEST'

let ksef: KsefSimulator
let api: TestApi
beforeAll(async () => {
  ksef = await startKsefSimulator({ token, nip })
  api = await startTestApi({
    KSEF_URL: ksef.url,
    KSEF_TOKEN: token,
    OPERATOR_NAME: 'Latarnia sp. z o.o.',
    OPERATOR_VAT_ID: `PL${nip}`,
    SELLER_ADDRESS: 'ul. Żeglarska 12',
    SELLER_POSTAL_CODE: '80-337',
    SELLER_CITY: 'Gdańsk',
  })
})
beforeEach(() => {
  ksef.trouble = undefined
  ksef.judge = () => undefined
})
afterAll(async () => {
  await api.close()
  await ksef.close()
})

async function sell({ isCompany = true } = {}): Promise<Caller> {
  const buyer = await api.signUp()
  const company = {
    kind: 'company' as const,
    name: 'Zażółć & Synowie',
    nip: '7781454968',
    address: 'ul. Długa 1',
    postal_code: '61-806',
    city: 'Poznań',
    country: 'PL',
    language: 'pl' as const,
  }
  if (isCompany) await buyer.call(setTaxData, { params: { id: buyer.user.id }, body: company })
  const walletId = await topUp(api.context, buyer, 5_000)
  const charge = {
    userId: buyer.user.id,
    walletId,
    currency: 'PLN',
    amount: 1844,
    tax: 345,
    name: 'GRASS',
    key: buyer.user.id,
    details: {},
  }
  await inTransaction(api.context.db, (trx) => chargeWallet(trx, charge))
  await issueDueDocuments(api.context, new Date())
  return buyer
}
const kept = async ({ user }: Caller) =>
  api.context.db
    .selectFrom('e_invoices')
    .innerJoin('documents', 'documents.id', 'e_invoices.document_id')
    .selectAll('e_invoices')
    .select('documents.label')
    .where('documents.user_id', '=', user.id)
    .executeTakeFirstOrThrow()
/** As if so many hours had passed, several times over. */
async function submit(times = 4): Promise<void> {
  for (let hour = 1; hour <= times; hour++)
    await submitDueEInvoices(api.context, new Date(Date.now() + hour * 7_200_000))
}

test('the number of the documentation checks out, and no other end does', () => {
  expect(crc8('5265877635-20250826-0100001AF629')).toBe('AF')
  expect(isKsefNumber('5265877635-20250826-0100001AF629-AF')).toBe(true)
  expect(isKsefNumber('5265877635-20250826-0100001AF629-AE')).toBe(false)
})

test('an invoice of a business arrives as it was kept, and gets its number and confirmation', async () => {
  const buyer = await sell()
  await submit()
  const row = await kept(buyer)
  expect(row).toMatchObject({ state: 'accepted', last_error: null, next_at: null })
  expect(isKsefNumber(row.ksef_number ?? '')).toBe(true)
  expect(row.upo).toContain(row.ksef_number)
  const [sent] = ksef.invoices.filter(({ number }) => number === row.label)
  expect(sent?.xml).toBe(row.xml)
  expect(sent?.hash).toBe(createHash('sha256').update(row.xml).digest('base64'))
  expect(row.xml).toContain('<Nazwa>Zażółć &#38; Synowie</Nazwa>')
})

test('a consumer’s receipt stays here', async () => {
  const buyer = await sell({ isCompany: false })
  await submit()
  expect(await kept(buyer)).toMatchObject({ state: 'kept', ksef_number: null })
})

test('what was sent while the answer got lost is not sent twice over: the register’s number is taken', async () => {
  ksef.trouble = 'lost'
  const buyer = await sell()
  await submitDueEInvoices(api.context, new Date(Date.now() + 1_000))
  const before = await kept(buyer)
  expect(before.state).toBe('waiting')
  ksef.trouble = undefined
  await submit(6)
  const row = await kept(buyer)
  expect(row.state).toBe('accepted')
  const sent = ksef.invoices.filter(({ number }) => number === row.label)
  expect(sent.length).toBe(2)
  expect(sent[0]?.ksefNumber).toBe(row.ksef_number)
})

test('the register may be away for long', async () => {
  ksef.trouble = 'down'
  const buyer = await sell()
  await submit(3)
  expect(await kept(buyer)).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('503') })
  ksef.trouble = undefined
  await submit(6)
  expect((await kept(buyer)).state).toBe('accepted')
})

test('what is refused waits for an administrator, who has it sent again', async () => {
  ksef.judge = () => 'Nieprawidłowy NIP'
  const buyer = await sell()
  await submit()
  expect(await kept(buyer)).toMatchObject({ state: 'failed', last_error: expect.stringContaining('Nieprawidłowy NIP') })
  const admin = await api.signUp({ admin: true })
  const { data } = await admin.call(listInvoices, { query: { attention: '1' } })
  expect(data).toHaveLength(1)
  const [mine] = (await buyer.call(listUserInvoices, { params: { id: buyer.user.id } })).data
  expect(data[0]).toMatchObject({ id: mine?.id, e_invoice: { state: 'failed' } })
  ksef.judge = () => undefined
  await admin.call(retryInvoice, { params: { id: mine?.id ?? '' } })
  await submit()
  expect((await kept(buyer)).state).toBe('accepted')
  await expect(admin.call(retryInvoice, { params: { id: mine?.id ?? '' } })).rejects.toThrow('resource_not_found')
})

describe('a wrong token', () => {
  test('opens nothing', async () => {
    const wrong = createKsef({ KSEF_URL: ksef.url, KSEF_TOKEN: 'other' }, nip)
    await expect(wrong?.openSession()).rejects.toThrow('450')
  })
})
