/** The catalogue comes from memory: nobody gets what was made for another, and a change is seen at once by every process. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listClusters as listClustersRoute, listGames } from '@wakestone/contract/servers/servers-routes'
import { type Product, productSchema } from '@wakestone/contract/sales/product'
import { inTransaction } from '#src/db/client.ts'
import { grantCapabilities } from '#src/features/accounts/users/service.ts'
import { type Caller, startSecondApi, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { listProducts, showProduct } from './service.ts'

let api: TestApi
let second: Awaited<ReturnType<typeof startSecondApi>>
beforeAll(async () => {
  api = await startTestApi()
  second = await startSecondApi(api)
})
afterAll(async () => {
  await second.close()
  await api.close()
})

const ask = (path: string, headers: Record<string, string> = {}, origin = api.origin) =>
  fetch(`${origin}/api/v1${path}`, { headers })
const inCountry = (country: string) => ({ cookie: `ws_country=${country}` })
const json = async <Body>(answer: Promise<Response>) => (await (await answer).json()) as Body

async function customerIn(country: string): Promise<Caller> {
  const caller = await api.signUp()
  const { id } = caller.user
  await api.context.db.updateTable('users').set({ country_code: country }).where('id', '=', id).execute()
  return caller
}

test('each sees the prices of their own VAT, however many ask at once and whoever asked before', async () => {
  const { db } = api.context
  const [hungarian, german] = [await customerIn('HU'), await customerIn('DE')]
  const callers = [
    ...['PL', 'DE', 'HU', 'US'].map((country) => ({ headers: inCountry(country), buyer: { countryCode: country } })),
    // A customer's account says where they are, not where the browser seems to be.
    ...[hungarian, german].map(({ cookie, user }) => ({
      headers: { cookie: `${cookie()}; ws_country=US` },
      buyer: { userId: user.id },
    })),
  ]
  const asked = Array.from({ length: 60 }, async (_, number) => {
    const { headers, buyer } = callers[number % callers.length]!
    const origin = number % 4 < 2 ? api.origin : second.origin
    expect(await json(ask('/billings/products', headers, origin))).toEqual(
      (await listProducts(db, buyer)).map((product) => productSchema.parse(product)),
    )
    expect(await json(ask('/billings/products/GRASS', headers, origin))).toEqual(
      productSchema.parse(await showProduct(db, 'GRASS', buyer)),
    )
  })
  await Promise.all(asked)
  const tags = await Promise.all(
    callers.map(async ({ headers }) => (await ask('/billings/products', headers)).headers.get('etag')),
  )
  expect(new Set(tags).size).toBe(4) // four rates, and the same answer for who pays the same
})

test('a changed price, stock or place is seen at once by both, and who has the present answer is told so', async () => {
  const { db } = api.context
  const prices = (origin: string) =>
    json<Product[]>(ask('/billings/products', inCountry('US'), origin)).then((products) =>
      products.find(({ id }) => id === 'GRASS'),
    )
  const both = () => Promise.all([prices(api.origin), prices(second.origin)])
  const [before] = await both()
  const answer = await ask('/billings/products', inCountry('US'))
  const known = { ...inCountry('US'), 'if-none-match': answer.headers.get('etag') ?? '' }
  expect((await ask('/billings/products', known)).status).toBe(304)
  expect((await ask('/billings/products', known, second.origin)).status).toBe(304)
  expect((await ask('/billings/products', { ...known, ...inCountry('PL') })).status).toBe(200)

  await db
    .updateTable('prices')
    .set((row) => ({ amount: row('amount', '+', 100) }))
    .where('product_id', '=', 'GRASS')
    .execute()
  const amounts = async () => (await both()).map((product) => JSON.stringify(product) === JSON.stringify(before))
  await expect.poll(amounts, { interval: 5 }).toEqual([false, false])
  expect((await ask('/billings/products', known)).status).toBe(200)

  await db.updateTable('products').set({ availability: 3 }).where('id', '=', 'GRASS').execute()
  await expect.poll(async () => (await both()).map((product) => product?.availability), { interval: 5 }).toEqual([3, 3])
})

test('a place that needs a right is shown to who has it, and to nobody after them', async () => {
  const { db } = api.context
  const [holder, other] = [await api.signUp(), await api.signUp()]
  await db
    .insertInto('clusters')
    .values({
      id: 'hidden',
      driver: 'process',
      name: 'Hidden',
      host: 'hidden.test',
      zone_name: 'hidden.test',
      country_code: 'PL',
      visible_permission: 'cluster.hidden',
    })
    .execute()
  await inTransaction(db, (trx) => grantCapabilities(trx, holder.user.id, { 'cluster.hidden': true }))
  const seen = async (headers: Record<string, string>) =>
    (await json<{ id: string }[]>(ask(listClustersRoute.path, headers))).some(({ id }) => id === 'hidden')
  await expect.poll(() => seen({ cookie: holder.cookie() })).toBe(true)
  expect(await Promise.all([seen({ cookie: other.cookie() }), seen({}), seen({ cookie: holder.cookie() })])).toEqual([
    false,
    false,
    true,
  ])
})

test('games and their engines have a tag too', async () => {
  const first = await ask(listGames.path)
  expect(listGames.responses[200].parse(await first.json())).toHaveLength(2)
  expect((await ask(listGames.path, { 'if-none-match': first.headers.get('etag') ?? 'none' })).status).toBe(304)
})
