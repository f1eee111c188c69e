/** E-invoices on their way to KSeF's simulator: login, encryption, numbers, refusals, and what dies on the way. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listInvoices, listUserInvoices, retryInvoice } from '@wakestone/contract/invoicing/invoices-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { type KsefSimulator, startKsefSimulator } from '@wakestone/simulators/ksef'
import { type Caller, startTestApi, type TestApi } from '../../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../../tests/support/long.ts'
import { topUp } from '../../../../../../../tests/support/servers.ts'
import { crc8, createKsef, isKsefNumber } from '#src/adapters/ksef/client.ts'
import { inTransaction } from '#src/db/client.ts'
import { chargeWallet, creditWallet } from '#src/features/money/wallets/service.ts'
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
    .orderBy('documents.id')
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

test.runIf(isLong)(
  'what was sent while the answer got lost is not sent twice over: the register’s number is taken',
  async () => {
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
  },
)

test('the register may be away for long', async () => {
  ksef.trouble = 'down'
  const buyer = await sell()
  await submit(3)
  expect(await kept(buyer)).toMatchObject({ state: 'waiting', last_error: expect.stringContaining('503') })
  ksef.trouble = undefined
  await submit(6)
  expect((await kept(buyer)).state).toBe('accepted')
})

test.runIf(isLong)('what is refused waits for an administrator, who has it sent again', async () => {
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

describe('what corrects an invoice', () => {
  const day = 86_400_000
  const giveBack = async (buyer: Caller) => {
    const { transaction_id } = (await documentsOf(buyer))[0]!
    const wallet = buyer.user.wallets.find(({ currency }) => currency === 'PLN')
    const credit = { walletId: wallet?.id ?? '', currency: 'PLN', source: 'purchase', refundable: true } as const
    await inTransaction(api.context.db, (trx) =>
      creditWallet(trx, {
        ...credit,
        userId: buyer.user.id,
        cause: 'REFUND',
        scope: 'test',
        amount: 922,
        tax: 172,
        key: buyer.user.id,
        name: 'GRASS',
        details: { reverses: transaction_id },
      }),
    )
  }
  const documentsOf = ({ user }: Caller) =>
    api.context.db
      .selectFrom('documents')
      .innerJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
      .select(['documents.kind', 'documents.transaction_id', 'e_invoices.xml'])
      .where('documents.user_id', '=', user.id)
      .orderBy('documents.id')
      .execute()
  const noteOf = async (buyer: Caller) => (await documentsOf(buyer)).find(({ kind }) => kind === 'credit_note')?.xml
  const issueIn = (days: number, context = api.context) =>
    issueDueDocuments(context, new Date(Date.now() + days * day), { limit: 1000 })

  test('names its number there, and waits for it without taking one of ours', async () => {
    const buyer = await sell()
    await giveBack(buyer)
    await issueIn(0)
    await submit(1) // sent, and not answered
    await issueIn(30)
    expect(await noteOf(buyer)).toBeUndefined()
    const due = await api.context.db.selectFrom('documents_due').selectAll().execute()
    expect(due).toMatchObject([{ tries: 2, last_error: 'KSeF has not numbered what it corrects yet' }])
    await submit(4)
    await issueIn(60)
    const { ksef_number } = await kept(buyer)
    expect(await noteOf(buyer)).toContain(`<NrKSeF>1</NrKSeF><NrKSeFFaKorygowanej>${ksef_number}<`)
  })

  test.runIf(isLong)('that was refused waits for second thoughts, and not for ever', async () => {
    ksef.judge = () => 'Nieprawidłowy NIP'
    const buyer = await sell()
    await submit()
    await giveBack(buyer)
    await issueIn(2)
    expect(await noteOf(buyer)).toBeUndefined()
    await issueIn(5)
    expect(await noteOf(buyer)).toContain('<NrKSeFN>1</NrKSeFN>')
  })

  test.each(['KSEF_URL', 'KSEF_TOKEN'])('waits for nothing where nobody sends it: without %s', async (name) => {
    const buyer = await sell()
    await giveBack(buyer)
    await issueIn(0, { ...api.context, settings: { ...api.context.settings, [name]: undefined } })
    expect(await noteOf(buyer)).toContain('<NrKSeFN>1</NrKSeFN>')
  })

  test('and was never meant for KSeF says so at once', async () => {
    const buyer = await sell({ isCompany: false })
    await giveBack(buyer)
    await issueIn(0)
    expect(await noteOf(buyer)).toContain('<NrKSeFN>1</NrKSeFN>')
  })
})

describe('a wrong token', () => {
  test('opens nothing', async () => {
    const wrong = createKsef({ KSEF_URL: ksef.url, KSEF_TOKEN: 'other' }, nip)
    await expect(wrong?.openSession()).rejects.toThrow('450')
  })
})
