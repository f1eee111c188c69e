/** Customers of WHMCS and Paymenter with their balances: opening entries of the ledger, and their counter entries. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { minorUnits } from '../../apps/server/src/features/admin/imports/amounts.ts'
import { showTaxData } from '../../apps/server/src/features/money/tax-data/service.ts'
import { findUserByLogin } from '../../apps/server/src/features/accounts/users/service.ts'
import { listWalletsOf } from '../../apps/server/src/features/money/wallets/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { dumpRows } from '../support/imports/panel-dump.ts'
import { countEverything, openImports } from '../support/imports/run-import.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { topUp } from '../support/servers.ts'

let api: TestApi
let imports: ReturnType<typeof openImports>
let known: Caller
beforeAll(async () => {
  api = await startTestApi()
  imports = openImports(api)
  known = await api.signUp()
})
afterAll(async () => {
  imports?.close()
  await api?.close()
})

const balances = async (email: string) => {
  const user = await findUserByLogin(api.context.db, email)
  const wallets = user === undefined ? [] : await listWalletsOf(api.context.db, user.id)
  return Object.fromEntries(wallets.map(({ currency, balance }) => [currency, balance.amount]))
}
const faults = () => findLedgerFaults(api.context.database.pool)

const clientColumns =
  'id uuid firstname lastname companyname email address1 address2 city state postcode country phonenumber password currency credit language status tax_id email_verified'
const client = (id: number, more: Record<string, string | number | null>) => {
  const row: Record<string, string | number | null> = {
    id,
    uuid: `11111111-0000-4000-8000-00000000000${id}`,
    firstname: 'Jan',
    lastname: 'Kowalski',
    companyname: '',
    email: `client${id}@example.test`,
    address1: 'Prosta 1',
    address2: '',
    city: 'Warszawa',
    postcode: '00-950',
    country: 'PL',
    password: '',
    currency: 1,
    credit: '0.00',
    language: 'polish',
    status: 'Active',
    tax_id: '',
    email_verified: 1,
    ...more,
  }
  return clientColumns.split(' ').map((column) => row[column] ?? null)
}
const whmcs = (clients: (string | number | null)[][]) =>
  dumpRows({
    tblclients: { columns: clientColumns.split(' '), rows: clients },
    tblcurrencies: {
      columns: ['id', 'code', 'prefix'],
      rows: [
        [1, 'PLN', ''],
        [2, 'EUR', '€'],
        [3, 'GBP', '£'],
      ],
    },
    tblusers: { columns: ['id', 'email', 'password'], rows: [[1, 'client1@example.test', `$2y$10$${'a'.repeat(53)}`]] },
  })

test('amounts are read by their digits, as whole minor units or not at all', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 13n - 1n })
  fc.assert(
    fc.property(
      digits,
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      (whole, cents, zeros, isMinus) => {
        const text = `${isMinus ? '-' : ''}${whole}.${String(cents).padStart(2, '0')}${'0'.repeat(zeros)}`
        const amount = BigInt(whole) * 100n + BigInt(cents)
        expect(minorUnits(text)).toBe(Number(isMinus && amount !== 0n ? -amount : amount))
      },
    ),
  )
  expect(['12', '1.5', '0.005', '1e3', '1,50', '', ' 3.10 ', 'NaN'].map(minorUnits)).toEqual([
    1200,
    150,
    undefined,
    undefined,
    undefined,
    undefined,
    310,
    undefined,
  ])
})

test('WHMCS: clients with invoice data, and credit as the first entry of the wallet; once', async () => {
  const dump = imports.save(
    'whmcs.sql',
    whmcs([
      client(1, { credit: '1234.56', companyname: 'Latarnia sp. z o.o.', tax_id: '526-000-12-46' }),
      client(2, { credit: '10.00', currency: 2, country: 'DE', postcode: '10115', city: 'Berlin', language: 'german' }),
      client(3, { credit: '5.00', currency: 3, postcode: 'nowhere' }),
      client(4, { credit: '-7.00', status: 'Closed' }),
      client(5, { credit: '0.005' }),
      client(6, { credit: '20.00', email: known.user.email.toUpperCase() }),
    ]),
  )
  const before = await countEverything(api)
  const dry = await imports.bring('whmcs', dump, { isDryRun: true })
  expect(await countEverything(api)).toEqual(before)
  const report = await imports.bring('whmcs', dump)
  expect(report.totals).toEqual(dry.totals)
  expect(report.totals).toMatchObject({ account: { made: 5, found: 1 }, balance: { made: 3, 'left out': 3 } })
  const reasons = report.lines.filter(({ kind, outcome }) => kind === 'balance' && outcome === 'left out')
  expect(reasons.map(({ reason }) => reason)).toEqual([
    'there are no wallets in GBP',
    'it is below zero: settle it there',
    'it is no amount of whole minor units',
  ])
  expect(await balances('client1@example.test')).toEqual({ PLN: 123_456, EUR: 0, USD: 0 })
  expect(await balances('client2@example.test')).toEqual({ PLN: 0, EUR: 1000, USD: 0 })
  expect(await balances(known.user.email)).toMatchObject({ PLN: 2000 })
  const first = await findUserByLogin(api.context.db, 'client1@example.test')
  expect(first).toMatchObject({ language: 'pl', country_code: 'PL', accepted_tos: null })
  expect(first?.email_verified).not.toBeNull()
  expect(await showTaxData(api.context.db, first!.id)).toMatchObject({
    kind: 'company',
    nip: '5260001246',
    city: 'Warszawa',
  })
  const third = await findUserByLogin(api.context.db, 'client3@example.test')
  expect(await showTaxData(api.context.db, third!.id)).toBeNull()
  expect(report.lines.find(({ name }) => name === 'client3@example.test')?.notes.join()).toMatch(/postal_code/)
  expect(await faults()).toEqual({})

  const after = await countEverything(api)
  const again = await imports.bring('whmcs', dump)
  expect(await countEverything(api)).toEqual(after)
  expect(again.totals).toMatchObject({ account: { unchanged: 6 }, balance: { unchanged: 3, 'left out': 3 } })

  // One has spent some, or got more, since: that stays.
  await topUp(api.context, known, 100)
  const undone = await imports.undo(report.import_id)
  expect(undone.undone).toEqual({ balance: 2, account: 6 })
  expect(undone.kept).toMatchObject([{ kind: 'balance', reason: 'its wallet has moved since' }])
  expect(await balances('client1@example.test')).toEqual({})
  expect(await balances(known.user.email)).toMatchObject({ PLN: 2100 })
  expect(await faults()).toEqual({})

  // Brought in anew, they have the same again.
  const anew = await imports.bring('whmcs', dump)
  expect(anew.totals).toMatchObject({
    account: { made: 5, found: 1 },
    balance: { made: 2, unchanged: 1, 'left out': 3 },
  })
  expect(await balances('client1@example.test')).toEqual({ PLN: 123_456, EUR: 0, USD: 0 })
  expect(await faults()).toEqual({})
})

test('an opening balance is in the customer’s statement, with its reason', async () => {
  const wallet = known.user.wallets.find(({ currency }) => currency === 'PLN')
  const { data } = await known.call(listWalletTransactions, { params: { id: wallet?.id ?? '' }, query: {} })
  expect(data).toMatchObject([{ action: 'DEPOSIT', status: 'ADMIN_ACTION', amount: 2000 }])
})

test('Paymenter: users with a balance in each currency, countries by code or by name', async () => {
  const user = (id: number, more: (string | number | null)[] = []) => [
    id,
    'Ada',
    'Nowak',
    `pay${id}@example.test`,
    'x',
    ...more,
  ]
  const dump = imports.save(
    'paymenter.sql',
    dumpRows({
      users: {
        columns: ['id', 'first_name', 'last_name', 'email', 'password', 'role_id', 'tfa_secret', 'email_verified_at'],
        rows: [user(1, [null, null, '2025-01-01 00:00:00']), user(2, [1, 'secret', null])],
      },
      credits: {
        columns: ['id', 'user_id', 'currency_code', 'amount'],
        rows: [
          [1, 1, 'EUR', '3.50'],
          [2, 1, 'USD', '4.00'],
          [3, 2, 'PLN', '0.00'],
        ],
      },
      properties: {
        columns: ['id', 'model_type', 'model_id', 'key', 'value'],
        rows: [
          [1, 'App\\Models\\User', 1, 'country', 'Germany'],
          [2, 'App\\Models\\User', 1, 'city', 'Berlin'],
          [3, 'App\\Models\\User', 1, 'address', 'Hauptstr. 1'],
          [4, 'App\\Models\\User', 1, 'zip', '10115'],
          [5, 'App\\Models\\Service', 1, 'country', 'France'],
        ],
      },
    }),
  )
  const report = await imports.bring('paymenter', dump)
  expect(report.totals).toMatchObject({ account: { made: 2 }, balance: { made: 2 } })
  expect(await balances('pay1@example.test')).toEqual({ PLN: 0, EUR: 350, USD: 400 })
  const first = await findUserByLogin(api.context.db, 'pay1@example.test')
  expect(first?.country_code).toBe('DE')
  expect(await showTaxData(api.context.db, first!.id)).toMatchObject({
    kind: 'person',
    name: 'Ada Nowak',
    country: 'DE',
  })
  const notes = report.lines.find(({ name }) => name === 'pay2@example.test')?.notes.join('; ')
  expect(notes).toMatch(/has a role there; comes as a customer; has a second factor there/)
  expect((await imports.undo(report.import_id)).undone).toEqual({ balance: 2, account: 2 })
  expect(await faults()).toEqual({})
})
