import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { type Database, inTransaction, openDatabase } from '#src/db/client.ts'
import { accounts, postToLedger } from '#src/features/money/ledger/service.ts'
import { listTransactionsOfWallet } from '#src/features/money/statements/service.ts'
import { insertUser } from '#src/features/accounts/users/repo.ts'
import { chargeWallet, creditWallet, findWalletOwner, listWalletLogs, listWalletsOf, openWallets } from './service.ts'

let home: TestDatabase
let database: Database

beforeAll(async () => {
  home = await createTestDatabase()
  database = openDatabase({ url: home.url, size: 20, onError: () => undefined })
})
afterAll(async () => {
  await database.close()
  await home.drop()
})

afterEach(async () => {
  const client = new pg.Client(home.url)
  await client.connect()
  const faults = await findLedgerFaults(client)
  await client.end()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

async function makeUser({ pln = 0 } = {}) {
  const name = randomUUID().slice(0, 20)
  return inTransaction(database.db, async (trx) => {
    const user = await insertUser(trx, {
      username: name,
      email: `${name}@example.com`,
      passwordHash: 'x',
      language: 'en',
      countryCode: 'PL',
      newsletter: false,
      emailVerified: true,
    })
    await openWallets(trx, { userId: user.id })
    const wallets = await listWalletsOf(trx, user.id)
    const [wallet] = wallets as [(typeof wallets)[0]]
    if (pln > 0) {
      await postToLedger(trx, {
        scope: 'test',
        key: wallet.id,
        kind: 'DEPOSIT',
        entries: [
          { code: accounts.gateway('test', 'PLN'), currency: 'PLN', amount: -pln },
          { code: accounts.wallet(wallet.id), currency: 'PLN', amount: pln },
        ],
      })
    }
    return { userId: user.id, wallet, wallets }
  })
}

const charge = (owner: { userId: string; wallet: { id: string } }, more: object = {}) => ({
  userId: owner.userId,
  walletId: owner.wallet.id,
  currency: 'PLN',
  amount: 1844,
  tax: 345,
  key: randomUUID(),
  details: { product_id: 'GRASS' },
  ...more,
})

test('a new user has an empty wallet in each currency, opened once', async () => {
  const { userId, wallets } = await makeUser()
  expect(wallets.map(({ currency, balance }) => [currency, balance.amount])).toEqual([
    ['PLN', 0],
    ['EUR', 0],
    ['USD', 0],
  ])
  expect(wallets[0]?.country_tax_rate).toEqual({ country_code: 'PL', vat_rate: 0.23 })
  await inTransaction(database.db, (trx) => openWallets(trx, { userId }))
  expect((await listWalletsOf(database.db, userId)).map(({ id }) => id)).toEqual(wallets.map(({ id }) => id))
  expect(await findWalletOwner(database.db, wallets[0]?.id ?? '')).toBe(userId)
  expect(await findWalletOwner(database.db, randomUUID())).toBeUndefined()
})

test('a purchase takes the gross amount once and shows as transaction and movement', async () => {
  const owner = await makeUser({ pln: 5000 })
  const request = charge(owner)
  const first = await inTransaction(database.db, (trx) => chargeWallet(trx, request))
  const again = await inTransaction(database.db, (trx) => chargeWallet(trx, request))
  expect(again).toBe(first)
  expect((await listWalletsOf(database.db, owner.userId))[0]?.balance.amount).toBe(3156)
  const shown = await listTransactionsOfWallet(database.db, owner.wallet.id, { after: undefined, limit: 10 })
  expect(shown.count).toBe(1)
  expect(shown.data[0]).toMatchObject({
    id: first,
    status: 'COMPLETED',
    action: 'ADD_SERVICE',
    provider: 'wallet',
    amount: 1844,
    positions: [{ name: 'GRASS', quantity: 1, tax: 0.23, total_price_gross: 1844 }],
  })
  const logs = await listWalletLogs(database.db, owner.wallet.id, { after: undefined, limit: 1 })
  expect(logs.count).toBe(2)
  expect(logs.data[0]).toMatchObject({ cause: 'PAYMENT', amount: { amount: -1844 }, balance_after: { amount: 3156 } })
  const older = await listWalletLogs(database.db, owner.wallet.id, { after: logs.data[0]?.id, limit: 10 })
  expect(older.data.map(({ cause, amount }) => [cause, amount.amount])).toEqual([['DEPOSIT', 5000]])
})

test('pages: newest first, each once, and how many there are in all on every one', async () => {
  const owner = await makeUser({ pln: 9000 })
  for (let count = 0; count < 3; count++) await inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner)))
  const lists = { payments: listTransactionsOfWallet, movements: listWalletLogs }
  for (const [name, list] of Object.entries(lists)) {
    const seen: string[] = []
    const total = name === 'payments' ? 3 : 4 // what was topped up by the test has no payment
    for (let after: string | undefined; ;) {
      const { data, count } = await list(database.db, owner.wallet.id, { after, limit: 2 })
      expect(count, name).toBe(total)
      if (data.length === 0) break // beyond the end it is still told
      seen.push(...data.map(({ id }) => id))
      after = seen.at(-1)
    }
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
    expect(seen).toHaveLength(total)
  }
  const empty = await makeUser()
  for (const list of Object.values(lists))
    expect(await list(database.db, empty.wallet.id, { after: undefined, limit: 2 })).toEqual({ data: [], count: 0 })
})

test('a purchase is refused without funds, from a foreign wallet, and in another currency', async () => {
  const owner = await makeUser({ pln: 1843 })
  const stranger = await makeUser({ pln: 5000 })
  const attempt = (more: object) => inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner, more)))
  await expect(attempt({})).rejects.toMatchObject({ code: 'wallet_has_not_funds' })
  await expect(attempt({ walletId: stranger.wallet.id })).rejects.toMatchObject({ code: 'wallet_not_found' })
  await expect(attempt({ walletId: randomUUID() })).rejects.toMatchObject({ code: 'wallet_not_found' })
  await expect(attempt({ currency: 'EUR' })).rejects.toMatchObject({ code: 'wallet_has_other_currency' })
  await expect(attempt({ amount: -5 })).rejects.toThrow('cannot charge')
  await expect(attempt({ amount: 0, tax: 0 })).resolves.toBeTypeOf('string')
  expect((await listWalletsOf(database.db, owner.userId))[0]?.balance.amount).toBe(1843)
})

test('of 50 purchases at once from a wallet that can pay for 3, exactly 3 succeed', async () => {
  const owner = await makeUser({ pln: 3 * 1844 + 1843 })
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner)))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'wallet_has_not_funds' })
  }
  expect((await listWalletsOf(database.db, owner.userId))[0]?.balance.amount).toBe(1843)
})

const credit = (owner: { userId: string; wallet: { id: string } }, more: object = {}) => ({
  userId: owner.userId,
  walletId: owner.wallet.id,
  currency: 'PLN',
  amount: 1000,
  tax: 0,
  source: 'promotion' as const,
  refundable: false,
  cause: 'VOUCHER_USE' as const,
  action: 'VOUCHER_USE' as const,
  scope: 'voucher',
  key: randomUUID(),
  details: {},
  ...more,
})
const walletOf = async ({ userId }: { userId: string }) => (await listWalletsOf(database.db, userId))[0]

test('credit that is never paid out is spent first, and a charge made again is the same one', async () => {
  const owner = await makeUser({ pln: 3000 })
  const gift = credit(owner)
  const first = await inTransaction(database.db, (trx) => creditWallet(trx, gift))
  expect(await inTransaction(database.db, (trx) => creditWallet(trx, gift))).toBe(first)
  expect(await walletOf(owner)).toMatchObject({ balance: { amount: 4000 }, non_refundable: { amount: 1000 } })

  const small = charge(owner, { amount: 400, tax: 75 })
  const paid = await inTransaction(database.db, (trx) => chargeWallet(trx, small))
  expect(await walletOf(owner)).toMatchObject({ balance: { amount: 3600 }, non_refundable: { amount: 600 } })
  expect(await inTransaction(database.db, (trx) => chargeWallet(trx, small))).toBe(paid)
  await expect(inTransaction(database.db, (trx) => chargeWallet(trx, { ...small, amount: 401 }))).rejects.toThrow(
    'another amount',
  )

  await inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner)))
  expect(await walletOf(owner)).toMatchObject({ balance: { amount: 1756 }, non_refundable: { amount: 0 } })
  const shown = await listTransactionsOfWallet(database.db, owner.wallet.id, { after: undefined, limit: 10 })
  expect(shown.data.map(({ action, amount }) => [action, amount])).toEqual([
    ['ADD_SERVICE', 1844],
    ['ADD_SERVICE', 400],
    ['VOUCHER_USE', 1000],
  ])
})

test('a purchase that is given back takes revenue and tax back, and shows with a negative amount', async () => {
  const owner = await makeUser({ pln: 1844 })
  const bought = await inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner)))
  const back = credit(owner, {
    amount: 1844,
    tax: 345,
    source: 'purchase',
    refundable: true,
    cause: 'REFUND',
    action: 'ADD_SERVICE',
    scope: 'refund',
    name: 'GRASS',
    details: { reverses: bought },
  })
  await inTransaction(database.db, (trx) => creditWallet(trx, back))
  expect(await walletOf(owner)).toMatchObject({ balance: { amount: 1844 }, non_refundable: { amount: 0 } })
  const shown = await listTransactionsOfWallet(database.db, owner.wallet.id, { after: undefined, limit: 1 })
  expect(shown.data[0]).toMatchObject({
    amount: -1844,
    positions: [{ name: 'GRASS', tax: 0.23, total_price_gross: -1844 }],
  })
  await expect(
    inTransaction(database.db, (trx) => creditWallet(trx, credit(owner, { source: 'promotion', tax: 1 }))),
  ).rejects.toThrow('cannot credit')
})

test('purchases at once that share credit spend it once', async () => {
  const owner = await makeUser({ pln: 1000 })
  await inTransaction(database.db, (trx) => creditWallet(trx, credit(owner)))
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      inTransaction(database.db, (trx) => chargeWallet(trx, charge(owner, { amount: 300, tax: 56 }))),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  expect(await walletOf(owner)).toMatchObject({ balance: { amount: 200 }, non_refundable: { amount: 0 } })
})
