/** Domains of owners’ own for their websites, proved at a real PowerDNS. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import { beginWebsiteDomainWork } from '../../apps/server/src/features/websites/domains/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { startPowerDns, type TestPowerDns } from '../support/power-dns.ts'
import { topUp } from '../support/servers.ts'
import { visitWebsite } from '../support/websites.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const world = 'customers.example'
const sites = 'sites.testing.example'
let dns: TestPowerDns
let api: TestApi
let owner: Caller
let walletId: string
let work: ReturnType<typeof beginWebsiteDomainWork> | undefined
beforeAll(async () => {
  dns = await startPowerDns({ zones: [world, sites] })
  api = await startTestApi({
    SITES_DOMAIN: sites,
    DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
    LIMIT_ADDRESS_CHANGES: '0',
  })
  owner = await api.signUp({ capabilities: { 'user.craftum': true } })
  walletId = await topUp(api.context, owner, 20_000)
  await dns.set(sites, `*.${sites}`, 'A', ['192.0.2.80'])
})
afterAll(async () => {
  await work?.close()
  await api?.close()
  await dns?.close()
})

let count = 0
async function publishNew(): Promise<Craftum> {
  const website = await owner.call(routes.createCraftum, {
    body: {
      name: 'Lantern Meadow',
      subdomain: `lantern-${++count}`,
      wallet_id: walletId,
      currency: 'PLN',
      billing_period: '720h',
    },
  })
  const params = { id: website.id }
  const { revision } = await owner.call(routes.getCraftumParameters, { params })
  await owner.call(routes.publishCraftum, { params, body: { revision } })
  return website
}
const domainOf = async ({ id }: Craftum) => (await owner.call(routes.getCraftumDomain, { params: { id } })).domain
const claim = ({ id }: Craftum, fqdn: string) => owner.call(routes.setCraftumDomain, { params: { id }, body: { fqdn } })
const check = ({ id }: Craftum) => owner.call(routes.checkCraftumDomain, { params: { id } })
const served = (domain: string) => outcomeOf(api.anonymous(routes.askForCertificate, { query: { domain } }))
/** No proof: the record goes. */
const prove = (...proofs: (string | undefined)[]) =>
  dns.set(
    world,
    `_wakestone.www.${world}`,
    'TXT',
    proofs.map((proof) => `"${proof}"`),
  )
const visit = (host: string, path?: string) => visitWebsite(api.origin, host, path)
/** What is known of hosts and pages is kept for five seconds. */
const untilShown = (host: string, isShown: boolean) =>
  vi.waitFor(async () => expect((await visit(host)).body.includes('Lantern Meadow')).toBe(isShown), {
    timeout: 15_000,
    interval: 500,
  })

test('shows the website once it is proved, and no longer than that', async () => {
  const website = await publishNew()
  const fqdn = `www.${world}`
  for (const bad of [`x.${sites}`, sites, 'localhost', '10.0.0.1', 'a b.example'])
    expect(await outcomeOf(claim(website, bad)), bad).toMatch(/^(invalid_request|domain_invalid_subdomain)$/)
  const claimed = await claim(website, `WWW.${world}.`)
  expect(claimed).toMatchObject({ fqdn, state: 'unproven', proof_missing_since: null })
  const [proof, target] = claimed.targets
  expect([proof, target]).toMatchObject([
    { record_name: `_wakestone.${fqdn}`, record_type: 'TXT' },
    { record_name: fqdn, record_type: 'CNAME', dns_content: `lantern-1.${sites}.` },
  ])
  await prove('wakestone-proof=somebody-elses')
  expect((await check(website)).domain).toMatchObject({ state: 'unproven' })
  expect(await served(fqdn)).toBe('resource_not_found')
  expect((await visit(fqdn)).body).not.toContain('Lantern Meadow')

  await prove(proof?.dns_content)
  expect((await check(website)).domain).toMatchObject({ state: 'waiting' })
  expect(await served(fqdn)).toBe('success')
  await untilShown(fqdn, true)
  await dns.set(world, fqdn, 'CNAME', [`lantern-1.${sites}.`])
  expect((await check(website)).domain).toMatchObject({ state: 'works' })
  // It is what everybody is told of then; the first address goes on.
  const told = await owner.call(routes.getCraftumParameters, { params: { id: website.id } })
  expect(new URL(told.craftum.address).hostname).toBe(fqdn)
  await vi.waitFor(
    async () => expect((await visit(`lantern-1.${sites}`)).body).toMatch(`<link rel="canonical" href="http://${fqdn}`),
    { timeout: 15_000, interval: 500 },
  )
  // Nothing of the panel is there.
  expect((await visit(fqdn, '/api/v1/users/verify')).status).toBe(404)

  await prove()
  expect((await check(website)).domain).toMatchObject({ state: 'works', proof_missing_since: expect.any(String) })
  await sql`update craftum_domains set proof_missing_since = now() - interval '73 hours'`.execute(api.context.db)
  // By itself, as a worker looks when its time has come.
  await sql`update craftum_domains set look_at = now()`.execute(api.context.db)
  work = beginWebsiteDomainWork(api.context)
  await vi.waitFor(async () => expect(await domainOf(website)).toBeNull(), { timeout: 15_000, interval: 200 })
  await untilShown(fqdn, false)
  const { data } = await owner.call(listUserEvents, {
    params: { id: owner.user.id },
    query: { action: 'USER_WEBSITE_DOMAIN_CHANGED' },
  })
  expect(data.map((event) => (event.data as { outcome: string }).outcome)).toEqual(['proof_missing', 'proved'])
})

test('belongs to whoever proves it: a claim keeps nobody away, and an old proof gives way once it is gone', async () => {
  const [first, second] = [await publishNew(), await publishNew()]
  const fqdn = `www.${world}`
  const [one, other] = [await claim(first, fqdn), await claim(second, fqdn)]
  const proofOf = ({ targets }: typeof one) => targets[0]?.dns_content
  await prove(proofOf(one))
  expect((await check(first)).domain).toMatchObject({ state: 'works' })
  await prove(proofOf(one), proofOf(other))
  expect((await check(second)).domain).toMatchObject({ state: 'unproven', error: 'resource_already_exists' })
  await prove(proofOf(other))
  expect((await check(second)).domain).toMatchObject({ state: 'works' })
  expect(await domainOf(first)).toBeNull()
  await owner.call(routes.removeCraftumDomain, { params: { id: second.id } })
  expect(await outcomeOf(owner.call(routes.removeCraftumDomain, { params: { id: second.id } }))).toBe(
    'resource_not_found',
  )
  expect(await served(fqdn)).toBe('resource_not_found')
})
