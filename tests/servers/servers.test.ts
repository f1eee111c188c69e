/** Renting and running servers, through the front door. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import * as billing from '@wakestone/contract/sales/billings-routes'
import * as domains from '@wakestone/contract/servers/domains-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import * as wallets from '@wakestone/contract/money/wallets-routes'
import { createDiskMeter } from '../../apps/server/src/features/servers/servers/service.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

let api: TestApi
let engineVersion: string
const grassGross = 1844

beforeAll(async () => {
  api = await startTestApi()
  ;({ engineVersion } = await prepareArtifacts(api))
}, 120_000)
afterAll(() => api?.close())

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: ApiError) => `${error.body.error} ${error.body.fields?.['resource'] ?? ''}`.trim(),
  )

describe('catalogue', () => {
  test('shows what is on sale, gross with the VAT of the caller’s country', async () => {
    const products = await api.anonymous(billing.listProducts, {})
    expect(products.map(({ id }) => id)).toEqual([
      'FREE',
      'GRASS',
      'AMETHYST',
      'EXTRA_MEMORY_2G',
      'EXTRA_MEMORY_4G',
      'EXTRA_MEMORY_8G',
      'EXTRA_MEMORY_16G',
      'EXTRA_STORAGE_10G',
      'EXTRA_STORAGE_30G',
      'EXTRA_PORTS_3',
      'BASIC_MAPVIEW',
      'BASIC_CRAFTUM',
    ])
    const grass = products[1]!
    const price = (period: string) => grass.prices.find((one) => one.period === period && one.price.currency === 'PLN')
    expect(price('720h')).toMatchObject({
      price: { amount: 1499 },
      gross_price: { amount: grassGross },
      lowest_price_30d: null,
      lowest_gross_price_30d: null,
    })
    expect(price('2160h')?.price.amount).toBe(4272) // 4497 less 5 %
    expect(price('8760h')?.price.amount).toBe(15502) // 14.99 × 8760 / 720, less 15 %
    expect(grass.pricePerHour['PLN']).toBeCloseTo(grassGross / 720)
  })

  test('quotes costs, and says what it does not know', async () => {
    const costs = await api.anonymous(billing.getProductCost, {
      params: { id: 'GRASS' },
      query: { currency: 'EUR', period: '720h' },
    })
    expect(costs).toMatchObject([
      {
        product_price: { amount: 349 },
        tax: { amount: 80 },
        gross_price: { amount: 429 },
        country_tax_rate: { country_code: 'PL' },
      },
    ])
    expect(await codeOf(api.anonymous(billing.getProduct, { params: { id: 'NOTHING' } }))).toBe(
      'product_not_found billing_product',
    )
    expect(
      await codeOf(
        api.anonymous(billing.getProductCost, { params: { id: 'BASIC_CRAFTUM' }, query: { currency: 'USD' } }),
      ),
    ).toBe('product_has_no_price_for_selected_currency billing_product')
  })

  test('shows a reduced price beside the lowest of the 30 days before', async () => {
    const { pool } = api.context.database
    const set = (amount: number) =>
      pool.query(`update prices set amount = $1 where (product_id, currency, period) = ('AMETHYST', 'USD', '720h')`, [
        amount,
      ])
    const shown = async () => {
      const product = await api.anonymous(billing.getProduct, { params: { id: 'AMETHYST' } })
      const price = product.prices.find((one) => one.period === '720h' && one.price.currency === 'USD')
      return [price?.price.amount, price?.lowest_price_30d, price?.lowest_gross_price_30d]
    }
    // Prices are kept in memory until the database has told that they are others.
    await set(1300)
    await expect.poll(shown).toEqual([1300, null, null]) // a raise is no reduction
    await set(1000)
    await expect.poll(shown).toEqual([1000, { amount: 1149, currency: 'USD' }, { amount: 1413, currency: 'USD' }])
    await expect(pool.query('delete from price_history')).rejects.toThrow('append-only')
  })

  test('lists clusters, games and free addresses', async () => {
    expect(await api.anonymous(routes.listClusters, {})).toMatchObject([{ id: 'local', zone_name: 'localhost' }])
    const games = await api.anonymous(routes.listGames, {})
    expect(games[0]?.engines.find(({ id }) => id === 'flying-squid')).toMatchObject({ latest: engineVersion })
    const ask = (subdomain: string) =>
      codeOf(api.anonymous(domains.checkDomain, { body: { subdomain, zone_name: 'localhost' } }))
    expect(await ask('nobody-has-this')).toBe('resource_not_found domain')
    expect(await ask('a--b')).toBe('domain_invalid_subdomain domain')
    expect(await ask('mapview-1')).toBe('domain_reserved domain')
    for (const name of ['admin', 'api', 'mail', 'ns1', 'panel', 'static', 'status-2', 'autodiscover', 'wpad'])
      expect(await ask(name), name).toBe('domain_reserved domain')
    for (const name of ['administration', 'my-admin', 'statusquo', 'shopping-town'])
      expect(await ask(name), name).toBe('resource_not_found domain')
  })
})

describe('renting', () => {
  test('charges the wallet once and makes everything or nothing', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 5000)
    const body = order(walletId, engineVersion)
    const server = await owner.call(routes.createServer, { body, idempotencyKey: 'first-purchase' })
    expect(server).toMatchObject({
      name: 'Meadow',
      product_id: 'GRASS',
      owner_id: owner.user.id,
      user_capabilities: { server: true },
      status: { game_status: 'IRL_NEW', activity: 'preparing' },
    })
    expect(server.address).toBe(`${body.subdomain}.localhost`)
    const again = await owner.call(routes.createServer, { body, idempotencyKey: 'first-purchase' })
    expect(again.id).toBe(server.id)
    expect(
      await codeOf(
        owner.call(routes.createServer, { body: { ...body, name: 'Other' }, idempotencyKey: 'first-purchase' }),
      ),
    ).toBe('idempotency_key_reused')
    expect(await codeOf(owner.call(routes.createServer, { body }))).toBe('resource_already_exists domain')
    expect((await owner.call(wallets.getWallet, { params: { id: walletId } })).balance.amount).toBe(5000 - grassGross)
    const holder = await owner.call(domains.checkDomain, {
      query: { full: '1' },
      body: { subdomain: body.subdomain, zone_name: 'localhost' },
    })
    expect(holder).toEqual({ server_id: server.id })
  })

  test('the same key at the same time buys one server', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 100_000)
    const body = order(walletId, engineVersion)
    const bought = await Promise.all(
      Array.from({ length: 10 }, () => owner.call(routes.createServer, { body, idempotencyKey: 'same-key-1' })),
    )
    expect(new Set(bought.map(({ id }) => id)).size).toBe(1)
    expect((await owner.call(wallets.getWallet, { params: { id: walletId } })).balance.amount).toBe(
      100_000 - grassGross,
    )
  })

  test('50 at once from a wallet that can pay for 3 are exactly 3', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 3 * grassGross + 100)
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        codeOf(owner.call(routes.createServer, { body: order(walletId, engineVersion) })),
      ),
    )
    expect(results.filter((code) => code === 'success')).toHaveLength(3)
    expect(new Set(results)).toEqual(new Set(['success', 'wallet_has_not_funds wallet']))
    expect((await owner.call(wallets.getWallet, { params: { id: walletId } })).balance.amount).toBe(100)
    const { rows } = await api.context.database.pool.query(
      'select count(*)::int as count from servers join services on services.id = service_id where wallet_id = $1',
      [walletId],
    )
    expect(rows).toEqual([{ count: 3 }])
  }, 60_000)

  test('one name at once goes to one customer', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => api.signUp()))
    const results = await Promise.all(
      owners.map(async (owner) =>
        codeOf(
          owner.call(routes.createServer, {
            body: order(await topUp(api.context, owner, 5000), engineVersion, { subdomain: 'wanted-by-all' }),
          }),
        ),
      ),
    )
    expect(results.sort()).toEqual([
      'resource_already_exists domain',
      'resource_already_exists domain',
      'resource_already_exists domain',
      'success',
    ])
  })

  test('refuses what cannot be, and charges nothing for it', async () => {
    const owner = await api.signUp()
    const other = await api.signUp()
    const walletId = await topUp(api.context, owner, 5000)
    const otherWallet = await topUp(api.context, other, 5000)
    const euro = owner.user.wallets.find(({ currency }) => currency === 'EUR')!.id
    const attempt = (more: object) =>
      codeOf(owner.call(routes.createServer, { body: { ...order(walletId, engineVersion), ...more } }))
    expect(await attempt({ wallet_id: otherWallet })).toBe('wallet_not_found wallet')
    expect(await attempt({ wallet_id: euro })).toBe('wallet_has_other_currency wallet')
    expect(await attempt({ requested_billing_services: ['NOTHING'] })).toBe('product_not_found billing_product')
    expect(await attempt({ requested_billing_services: ['BACKUP_PLUS'] })).toBe('product_not_available billing_product')
    expect(await attempt({ requested_billing_services: ['GRASS', 'BACKUP_PLUS'] })).toBe(
      'product_not_available billing_product',
    )
    expect(await attempt({ cluster_id: 'mars' })).toBe('cluster_not_found cluster')
    expect(await attempt({ engine_version: '0.0.1' })).toBe('engine_version_not_found')
    expect(await attempt({ subdomain: 'pending-1' })).toBe('domain_reserved domain')
    expect(await attempt({ currency: 'CHF' })).toBe('invalid_request')
    expect((await owner.call(wallets.getWallet, { params: { id: walletId } })).balance.amount).toBe(5000)
    const unverified = await api.signUp({ verified: false })
    expect(await codeOf(unverified.call(routes.createServer, { body: order(walletId, engineVersion) }))).toBe(
      'email_not_verified',
    )
  })

  test('a free server costs nothing, has a generated name, and is one per customer', async () => {
    const owner = await api.signUp()
    const walletId = owner.user.wallets.find(({ currency }) => currency === 'PLN')!.id
    const body = order(walletId, engineVersion, { requested_billing_services: ['FREE'], subdomain: 'my-own-choice' })
    const server = await owner.call(routes.createServer, { body })
    expect(server.domains[0]?.sub_domain).toMatch(/^[a-z]+-[a-z]+-\d{4}$/)
    expect(await codeOf(owner.call(routes.createServer, { body }))).toBe('user_already_has_free_server')

    const other = await api.signUp()
    const otherWallet = other.user.wallets.find(({ currency }) => currency === 'PLN')!.id
    const { subdomain: _, ...nameless } = order(otherWallet, engineVersion)
    expect(await codeOf(other.call(routes.createServer, { body: nameless }))).toBe('domain_invalid_subdomain domain')
    const free = { ...nameless, requested_billing_services: ['FREE'] }
    const second = await other.call(routes.createServer, { body: free })
    expect(second.domains[0]?.sub_domain).toMatch(/^[a-z]+-[a-z]+-\d{4}$/)
  })
})

describe('running', () => {
  test.runIf(isLong)(
    'is prepared, runs, stops, starts, restarts and is killed',
    async () => {
      const owner = await api.signUp()
      const stranger = await api.signUp()
      const walletId = await topUp(api.context, owner, 5000)
      await api.context.database.pool.query('update servers set deleted_at = now()') // those of the tests before need no places
      const worker = await startTestWorker(api)
      try {
        const { id } = await owner.call(routes.createServer, { body: order(walletId, engineVersion) })
        const params = { id }
        const began = Date.now()
        expect(await codeOf(owner.call(routes.startServer, { params }))).toMatch(
          /^(server_is_preparing server|success)$/,
        )
        const up = await untilStatus(owner, id, isUp)
        console.log(`order to running: ${Date.now() - began} ms`)
        expect(up).toMatchObject({
          preparation: null,
          crashed: false,
          pod_name: `server-${id}`,
          players: { online: 0, max: 20 },
        })
        expect(up.hypnos_version).not.toBeNull()
        expect(await owner.call(listProcesses, { params })).toMatchObject([
          { kind: 'prepare', state: 'done', phase: 'start', progress: 1, attempt: 1 },
        ])
        expect(await codeOf(stranger.call(routes.stopServer, { params }))).toBe('server_id_not_found server')

        expect((await owner.call(routes.stopServer, { params })).activity).toBe('stopping')
        expect(await untilStatus(owner, id, isDown)).toMatchObject({ termination_expected: true, crashed: false })
        expect((await owner.call(routes.startServer, { params })).activity).toBe('starting')
        const second = await untilStatus(owner, id, isUp)
        expect(second.launched).not.toBe(up.launched)

        expect((await owner.call(routes.restartServer, { params })).activity).toBe('restarting')
        await untilStatus(owner, id, (status) => isUp(status) && status.launched !== second.launched)

        await owner.call(routes.killServer, { params })
        expect(await untilStatus(owner, id, isDown)).toMatchObject({ termination_expected: true })
        const on = await owner.call(routes.setAutostart, { params, query: { value: '1' } })
        expect(on).toMatchObject({ autostart: true, status: { activity: 'starting' } })
        await untilStatus(owner, id, isUp)
        const off = await owner.call(routes.setAutostart, { params, query: { value: '0', stop: '1' } })
        expect(off).toMatchObject({ autostart: false, status: { activity: 'stopping' } })
        await untilStatus(owner, id, isDown)

        await vi.waitFor(async () => expect(await createDiskMeter(api.context)(id)).toBeGreaterThan(0), 15_000)
        const { data } = await owner.call(routes.listServerEvents, { params, query: { limit: 100 } })
        const [installed] = data.filter(({ action }) => action === 'SERVER_INSTALL_PACKAGE')
        expect(installed?.data).toMatchObject({ engine: 'flying-squid' })
        const actions = data.map(({ action }) => action).reverse()
        for (const action of [
          'SERVER_PREPARE',
          'SERVER_PREPARED',
          'SERVER_PVC_CREATED',
          'SERVER_POD_CREATED',
          'SERVER_INSTALL_PACKAGE',
          'GAME_STARTED',
          'SERVER_GAME_STOP',
          'GAME_STOPPED',
          'SERVER_GAME_START',
        ] as const) {
          expect(actions).toContain(action)
        }
        expect(actions.filter((action) => action === 'GAME_STARTED')).toHaveLength(4)
        expect(actions.filter((action) => action === 'GAME_STOPPED')).toHaveLength(4)
      } finally {
        await worker.stop()
        await worker.removeAll()
      }
    },
    120_000,
  )
})
