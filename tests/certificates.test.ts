/** TLS of the product's own: certificates of a real authority, proved over HTTP and by a real name server. */
import { request } from 'node:https'
import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import {
  beginCertificates,
  listCertificates,
  wantCertificate,
} from '../apps/server/src/features/ground/certificates/service.ts'
import { listServedDomains } from '../apps/server/src/features/websites/domains/service.ts'
import { type Caller, startTestApi, type TestApi } from './support/api.ts'
import { isLong } from './support/long.ts'
import { type Pebble, startPebble } from './support/pebble.ts'
import { findFreePort } from './support/ports.ts'
import { startPowerDns, type TestPowerDns } from './support/power-dns.ts'
import { topUp } from './support/servers.ts'
import { visitWebsite } from './support/websites.ts'

vi.setConfig({ testTimeout: 60_000 })

let dns: TestPowerDns
let pebble: Pebble
let api: TestApi
let owner: Caller
let walletId: string
let tlsPort: number
let work: { close(): Promise<void> } | undefined
const zones = ['panel.test', 'sites.test', 'friends.test']

beforeAll(async () => {
  dns = await startPowerDns({ zones })
  for (const zone of zones) await dns.set(zone, zone, 'A', ['127.0.0.1'])
  await dns.set('sites.test', '*.sites.test', 'A', ['127.0.0.1'])
  tlsPort = await findFreePort()
  const httpPort = await findFreePort()
  pebble = await startPebble({ httpPort, dnsPort: dns.port })
  api = await startTestApi({
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(tlsPort),
    HTTP_HOST: '127.0.0.1',
    PUBLIC_URL: `https://panel.test:${tlsPort}`,
    SITES_DOMAIN: 'sites.test',
    ACME_EMAIL: 'operator@panel.test',
    DNS_IPV4: '127.0.0.1',
    DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
    ...dns.settings,
    ...pebble.settings,
  })
  owner = await api.signUp({ capabilities: { 'user.craftum': true } })
  walletId = await topUp(api.context, owner, 100_000)
}, 120_000)
afterAll(async () => {
  await work?.close()
  await api?.close()
  await pebble?.close()
  await dns?.close()
})

type Seen = { status: number; body: string; hsts: string | undefined; names: string; serial: string }

/** As a browser that trusts the authority, and takes no certificate of another host. */
function visit(host: string, path = '/healthz'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port: tlsPort, servername: host, ca: pebble.root, path, agent: false, headers: { host } },
      (answer) => {
        const shown = (answer.socket as TLSSocket).getPeerX509Certificate() as X509Certificate
        let body = ''
        answer.on('data', (part: Buffer) => (body += part.toString()))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body,
            hsts: answer.headers['strict-transport-security'],
            names: shown.subjectAltName ?? '',
            serial: shown.serialNumber,
          }),
        )
      },
    )
    asking.on('error', reject).end()
  })
}
const untilSeen = (host: string, path?: string) =>
  vi.waitFor(() => visit(host, path), { timeout: 40_000, interval: 250 })

async function begin({ settings = api.context.settings, hosts = ['panel.test'] } = {}): Promise<void> {
  await work?.close()
  work = beginCertificates({ ...api.context, settings }, async () => ({
    hosts: [...hosts, ...(await listServedDomains(api.context))],
    below: 'sites.test',
  }))
}
const stateOf = async (name: string) => (await listCertificates(api.context)).find((one) => one.name === name)
async function makeWebsite(subdomain: string) {
  const website = await owner.call(routes.createCraftum, {
    body: { name: 'Meadow', subdomain, wallet_id: walletId, currency: 'PLN', billing_period: '720h' },
  })
  const params = { id: website.id }
  const { revision } = await owner.call(routes.getCraftumParameters, { params })
  await owner.call(routes.publishCraftum, { params, body: { revision } })
  return params
}

test('the panel gets a certificate by itself, and plain HTTP leads there', async () => {
  await expect(visit('panel.test')).rejects.toMatchObject({ code: 'ECONNRESET' })
  const before = await visitWebsite(api.origin, 'panel.test', '/healthz')
  expect(before.status).toBe(200)

  await begin()
  expect(await untilSeen('panel.test')).toMatchObject({ status: 200, names: 'DNS:panel.test' })
  expect((await visit('panel.test')).hsts).toBeDefined()
  const led = await visitWebsite(api.origin, 'panel.test', '/pl/login?next=1')
  expect(led).toMatchObject({ status: 308, headers: { location: `https://panel.test:${tlsPort}/pl/login?next=1` } })
  const elsewhere = await visitWebsite(api.origin, 'panel.test', '/.well-known/acme-challenge/never-laid')
  expect(elsewhere.status).toBe(404)
  // Other programs of ours, and what watches them, ask by an address.
  expect((await fetch(`${api.origin}/healthz`)).status).toBe(200)
})

test('a host that is not ours is shown no certificate, and asks the authority for none', async () => {
  await expect(visit('stranger.test')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(visit('nobody.sites.test.evil.test')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await stateOf('stranger.test')).toBeUndefined()
})

test('websites share one where the name server is ours, and nothing is left in it', async () => {
  await makeWebsite('lantern')
  const seen = await untilSeen('lantern.sites.test', '/')
  expect(seen).toMatchObject({ status: 200, names: 'DNS:*.sites.test' })
  expect(seen.hsts).toBeDefined()
  expect(await dns.dig('_acme-challenge.sites.test', 'TXT')).toEqual([])
})

test.runIf(isLong)(
  'the domain of a customer has one as soon as it is proved, and until it is not theirs any more',
  async () => {
    const params = await makeWebsite('harbour')
    const domain = await owner.call(routes.setCraftumDomain, { params, body: { fqdn: 'friends.test' } })
    const proof = domain.targets.find(({ app }) => app === 'proof')
    await dns.set('friends.test', proof?.record_name ?? '', 'TXT', [`"${proof?.dns_content}"`])
    await vi.waitFor(
      async () => {
        const { domain: looked } = await owner.call(routes.checkCraftumDomain, { params })
        expect(looked?.state).toBe('works')
      },
      { timeout: 20_000, interval: 500 },
    )
    expect(await untilSeen('friends.test', '/')).toMatchObject({ status: 200, names: 'DNS:friends.test' })
    expect(await owner.call(routes.getCraftumDomain, { params })).toMatchObject({ domain: { certificate: 'active' } })

    await owner.call(routes.removeCraftumDomain, { params })
    await vi.waitFor(async () => expect(await stateOf('friends.test')).toBeUndefined(), { timeout: 20_000 })
  },
)

test.runIf(isLong)('is renewed before it ends, without a break', async () => {
  const before = await visit('panel.test')
  const due = await sql<{ share: number }>`
    select extract(epoch from next_attempt_at - now()) / extract(epoch from not_after - now()) as share
    from certificates where name = 'panel.test'`.execute(api.context.db)
  expect(Number(due.rows[0]?.share)).toBeGreaterThan(0.6)
  expect(Number(due.rows[0]?.share)).toBeLessThan(0.7)

  await sql`update certificates set next_attempt_at = now() where name = 'panel.test'`.execute(api.context.db)
  await vi.waitFor(
    async () => {
      const seen = await visit('panel.test')
      expect(seen.status).toBe(200)
      expect(seen.serial).not.toBe(before.serial)
    },
    { timeout: 40_000, interval: 250 },
  )
})

test('a name that leads elsewhere is said to, is tried later and later, and holds up no other', async () => {
  await begin({ hosts: ['panel.test', 'gone.test'] })
  await vi.waitFor(async () => expect(await stateOf('gone.test')).toMatchObject({ state: 'failing' }), {
    timeout: 40_000,
    interval: 250,
  })
  expect((await stateOf('gone.test'))?.error).toContain('gone.test')
  expect(await stateOf('panel.test')).toMatchObject({ state: 'active', error: null })
  const { rows } = await sql<{ seconds: number; attempts: number }>`
    select extract(epoch from next_attempt_at - now()) as seconds, attempts from certificates where name = 'gone.test'
  `.execute(api.context.db)
  expect(rows[0]?.attempts).toBe(1)
  expect(Number(rows[0]?.seconds)).toBeGreaterThan(200)
  expect((await visit('panel.test')).status).toBe(200)
})

test.runIf(isLong)('without a name server of ours, a website gets its own when somebody knocks', async () => {
  const { PDNS_URL: _, ...settings } = api.context.settings
  await sql`delete from certificates where name = '*.sites.test'`.execute(api.context.db)
  await begin({ settings: { ...settings, PDNS_URL: undefined } })
  await makeWebsite('orchard')
  expect(await untilSeen('orchard.sites.test', '/')).toMatchObject({ status: 200, names: 'DNS:orchard.sites.test' })
  await expect(visit('empty.sites.test')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await stateOf('empty.sites.test')).toBeUndefined()
})

test.runIf(isLong)('two who ask at once for one name ask the authority once', async () => {
  await work?.close()
  await sql`delete from certificates`.execute(api.context.db)
  await Promise.all([wantCertificate(api.context, 'panel.test'), wantCertificate(api.context, 'panel.test')])
  const wanted = async () => ({ hosts: ['panel.test'], below: 'sites.test' })
  const workers = [beginCertificates(api.context, wanted), beginCertificates(api.context, wanted)]
  const first = await untilSeen('panel.test')
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect((await visit('panel.test')).serial).toBe(first.serial)
  await Promise.all(workers.map((one) => one.close()))
})
