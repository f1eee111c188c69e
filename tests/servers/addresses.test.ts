/** Names of servers through the front door, their records asked for by dig at a real PowerDNS. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/addresses-routes'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { beginAddressWork } from '../../apps/server/src/features/servers/addresses/service.ts'
import { compareZones, createRecordDeps } from '../../apps/server/src/features/servers/addresses/work.ts'
import { ensureLocalCluster } from '../../apps/server/src/features/servers/clusters/service.ts'
import { endServer } from '../../apps/server/src/features/servers/servers/service.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { startPowerDns, type TestPowerDns } from '../support/power-dns.ts'
import { order, prepareArtifacts, topUp } from '../support/servers.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const zone = 'play.testing.example'
const world = 'customers.example'
let dns: TestPowerDns
let api: TestApi
let work: ReturnType<typeof beginAddressWork> | undefined
let owner: Caller
let walletId: string
let engineVersion: string

beforeAll(async () => {
  dns = await startPowerDns({ zones: [zone, world] })
  api = await startTestApi({
    ...dns.settings,
    GAME_DOMAIN: zone,
    DNS_IPV4: '192.0.2.7',
    DNS_IPV6: '2001:db8::7',
    DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
    LIMIT_ADDRESS_CHANGES: '0',
  })
  await ensureLocalCluster(api.context)
  ;({ engineVersion } = await prepareArtifacts(api))
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 200_000)
  work = beginAddressWork(api.context)
})
afterAll(async () => {
  await work?.close()
  await api?.close()
  await dns?.close()
})

let made = 0
const newName = () => `meadow-${process.pid % 1000}x${++made}`
const rent = (plan = 'AMETHYST', subdomain = newName(), who = owner, wallet = walletId) =>
  who.call(createServer, {
    body: order(wallet, engineVersion, { subdomain, requested_billing_services: [plan] }),
  })
const params = ({ id }: Server) => ({ id })
const name = (subdomain: string) => ({ subdomain, zone_name: zone })
const list = (server: Server, who = owner) => who.call(routes.listAddresses, { params: params(server) })
const primaryOf = async (server: Server) => (await list(server)).domains.find(({ kind }) => kind === 'primary')!

/** What `dig` says of a name of ours. */
const digAll = async (fqdn: string) =>
  (await Promise.all([dns.dig(fqdn, 'A'), dns.dig(fqdn, 'AAAA'), dns.dig(`_minecraft._tcp.${fqdn}`, 'SRV')])).flat()
const recordsOf = (fqdn: string) => ['300 A 192.0.2.7', '300 AAAA 2001:db8::7', `300 SRV 0 5 25565 ${fqdn}.`]
const untilLeads = (fqdn: string) =>
  vi.waitFor(async () => expect(await digAll(fqdn)).toEqual(recordsOf(fqdn)), { timeout: 20_000, interval: 50 })
const untilGone = (fqdn: string) =>
  vi.waitFor(async () => expect(await digAll(fqdn)).toEqual([]), { timeout: 20_000, interval: 50 })

test('a rented server has its records, and the new name’s in place of the old one’s after a change', async () => {
  const server = await rent()
  const [{ fqdn: before }] = server.domains as [Server['domains'][number]]
  await untilLeads(before)
  await vi.waitFor(async () => expect(await primaryOf(server)).toMatchObject({ state: 'works', join: before }))

  const subdomain = newName()
  const changed = await owner.call(routes.setPrimaryDomain, { params: params(server), body: name(subdomain) })
  expect(changed).toMatchObject({ kind: 'primary', fqdn: `${subdomain}.${zone}`, generated: false, external_ns: false })
  await untilLeads(`${subdomain}.${zone}`)
  await untilGone(before)
  // By the record for services, players need no port.
  const shown = await owner.call(getServer, { params: params(server) })
  expect(shown.address).toBe(`${subdomain}.${zone}`)
  const { data } = await owner.call(listServerEvents, {
    params: params(server),
    query: { action: 'SERVER_DOMAIN_CHANGE' },
  })
  expect(data).toHaveLength(1)
})

test('a released name stays reserved for who had it, for 30 days', async () => {
  const subdomain = newName()
  const server = await rent('AMETHYST', subdomain)
  const stranger = await api.signUp()
  const wallet = await topUp(api.context, stranger, 20_000)
  const theirs = await rent('AMETHYST', newName(), stranger, wallet)
  await owner.call(routes.setPrimaryDomain, { params: params(server), body: name(newName()) })

  const take = (who: Caller, of: Server) =>
    outcomeOf(who.call(routes.addSecondaryDomain, { params: params(of), body: name(subdomain) }))
  const check = (full?: '1') =>
    refusalOf(api.anonymous(checkDomain, { body: name(subdomain), ...(full && { query: { full } }) }))
  expect(await check()).toMatchObject({ error: 'success' })
  expect(await take(stranger, theirs)).toBe('resource_already_exists')
  const { reserved } = await list(server)
  const until = reserved.find(({ fqdn }) => fqdn === `${subdomain}.${zone}`)!.until
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(29.99 * 86_400_000)
  expect(Date.parse(until) - Date.now()).toBeLessThan(30.01 * 86_400_000)
  // Nobody's by now: the server that it belongs to is none.
  expect(await api.anonymous(checkDomain, { body: name(subdomain), query: { full: '1' } })).toEqual({ server_id: null })

  expect(await take(owner, server)).toBe('success')
  const { domains } = await list(server)
  const mine = domains.find(({ fqdn }) => fqdn === `${subdomain}.${zone}`)!
  expect(await api.anonymous(checkDomain, { body: name(subdomain), query: { full: '1' } })).toEqual({
    server_id: server.id,
  })
  await owner.call(routes.releaseDomain, { params: { id: server.id, domain_id: mine.id } })
  await sql`update domains set reserved_until = now() - interval '1 second' where fqdn = ${mine.fqdn}`.execute(
    api.context.db,
  )
  expect(await check()).toMatchObject({ error: 'resource_not_found' })
  expect(await api.anonymous(checkDomain, { body: name(subdomain), query: { full: '1' } })).toBeUndefined()
  expect(await take(stranger, theirs)).toBe('success')
  await untilLeads(mine.fqdn)
})

test.runIf(isLong)(
  'plans have so many names: none of their choice for FREE, one for GRASS, three for AMETHYST',
  async () => {
    const free = await rent('FREE')
    expect(free.domains).toMatchObject([{ generated: true, kind: 'primary' }])
    const [{ fqdn: generated }] = free.domains as [Server['domains'][number]]
    await untilLeads(generated)
    const refused = await refusalOf(
      owner.call(routes.setPrimaryDomain, { params: params(free), body: name(newName()) }),
    )
    expect(refused).toMatchObject({ error: 'too_many_free_domains', fields: { limit: 0 } })
    expect(
      await outcomeOf(owner.call(routes.addOwnDomain, { params: params(free), body: { fqdn: 'mc.someone.example' } })),
    ).toBe('too_many_free_domains')

    const grass = await rent('GRASS')
    expect((await list(grass)).quota).toEqual({ limit: 1, available: 0 })
    expect(
      await refusalOf(owner.call(routes.addSecondaryDomain, { params: params(grass), body: name(newName()) })),
    ).toMatchObject({ error: 'too_many_free_domains', fields: { limit: 1 } })
    expect(await outcomeOf(owner.call(routes.setPrimaryDomain, { params: params(grass), body: name(newName()) }))).toBe(
      'success',
    )

    // Two at once never come to more than the plan has.
    const amethyst = await rent('AMETHYST')
    const tries = await Promise.all(
      Array.from({ length: 5 }, () =>
        outcomeOf(owner.call(routes.addSecondaryDomain, { params: params(amethyst), body: name(newName()) })),
      ),
    )
    expect(tries.toSorted()).toEqual([
      ...Array<string>(2).fill('success'),
      ...Array<string>(3).fill('too_many_free_domains'),
    ])
    const { domains, quota } = await list(amethyst)
    expect(quota).toEqual({ limit: 3, available: 0 })
    for (const { fqdn } of domains) await untilLeads(fqdn)

    // One that the server has changes places with the primary, which stays with it.
    const second = domains.find(({ kind }) => kind === 'secondary')!
    await owner.call(routes.setPrimaryDomain, { params: params(amethyst), body: name(second.sub_domain) })
    const after = await list(amethyst)
    expect(after.domains.map(({ fqdn }) => fqdn).toSorted()).toEqual(domains.map(({ fqdn }) => fqdn).toSorted())
    expect(after.domains[0]).toMatchObject({ id: second.id, kind: 'primary' })

    // A server is never without a name of ours.
    for (const { id } of after.domains)
      await owner.call(routes.releaseDomain, { params: { id: amethyst.id, domain_id: id } })
    expect((await list(amethyst)).domains).toMatchObject([{ kind: 'primary', generated: true }])
    for (const { fqdn } of after.domains) await untilGone(fqdn)
  },
)

test('names that are reserved, imitate, or are no names are refused', async () => {
  const server = await rent()
  const attempt = (subdomain: string) =>
    outcomeOf(owner.call(routes.addSecondaryDomain, { params: params(server), body: name(subdomain) }))
  for (const subdomain of ['pending-1', 'my-mapview', 'admin', 'adm1n', 'pane1', 'l0gin', 'log-in', 'suppo-rt'])
    expect(await attempt(subdomain), subdomain).toBe('domain_reserved')
  // What the product and the operator are called, spelt differently too.
  for (const subdomain of ['w4kest0ne', 'wake-stone', 'testing-shop', 'te5ting', 'free-testlng'])
    expect(await attempt(subdomain), subdomain).toBe('domain_reserved')
  for (const subdomain of ['ab', 'a--b', '-abc', 'xn--gmshd-mua', 'grün', 'аdmin', 'a.b', ''])
    expect(await attempt(subdomain), subdomain).toBe('domain_invalid_subdomain')
  expect(
    await outcomeOf(
      owner.call(routes.addSecondaryDomain, {
        params: params(server),
        body: { subdomain: 'lovely', zone_name: 'elsewhere.example' },
      }),
    ),
  ).toBe('domain_invalid_subdomain')

  const original = `golem-${process.pid}-hill`
  expect(await attempt(original)).toBe('success')
  const stranger = await api.signUp()
  const wallet = await topUp(api.context, stranger, 20_000)
  const like = (subdomain: string) => outcomeOf(rent('AMETHYST', subdomain, stranger, wallet))
  expect(await like(original.replace('golem', 'g0lern'))).toBe('domain_reserved')
  expect(await like(original.replace('hill', 'hi1l'))).toBe('domain_reserved')
  expect(await like(original.replace('hill', 'hall'))).toBe('success')
})

/** The product's worker, which does nothing for servers but their names. */
function startWorker(): ChildProcess {
  const { settings, databaseUrl } = api.context
  return spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, '../../apps/server/src/worker.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOLD_SERVERS: '1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: settings.DATA_DIR,
      METRICS_PORT: '0',
      HTTP_PORT: '0',
      GAME_DOMAIN: zone,
      PDNS_URL: dns.url,
      PDNS_API_KEY: settings.PDNS_API_KEY,
      DNS_IPV4: '192.0.2.7',
      DNS_IPV6: '2001:db8::7',
      DNS_RESOLVERS: settings.DNS_RESOLVERS.join(','),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
async function untilAtWork(worker: ChildProcess) {
  let said = ''
  for await (const chunk of worker.stdout!) {
    said += String(chunk)
    if (said.includes('at work')) break
  }
  if (!said.includes('at work')) throw new Error(`the worker ended: ${said}`)
}
async function kill(worker: ChildProcess) {
  const ended = worker.exitCode === null && worker.signalCode === null ? once(worker, 'exit') : undefined
  worker.kill('SIGKILL')
  await ended
}

test.runIf(isLong)(
  'workers are killed in the middle, and the name server too: in the end the records are those of the database',
  async () => {
    await work?.close()
    work = undefined
    // Whoever has given up 20 names gets no others for a while.
    const keeper = await api.signUp()
    const wallet = await topUp(api.context, keeper, 100_000)
    const servers = await Promise.all(Array.from({ length: 2 }, () => rent('AMETHYST', newName(), keeper, wallet)))
    const everything = new Set<string>()
    let worker = startWorker()
    onTestFinished(async () => {
      await kill(worker)
      work ??= beginAddressWork(api.context)
    })
    for (let round = 1; round <= 9; round++) {
      await untilAtWork(worker)
      for (const server of servers) {
        const { domains } = await list(server, keeper)
        for (const { fqdn } of domains) everything.add(fqdn)
        const secondary = domains.find(({ kind }) => kind === 'secondary')
        if (secondary && round % 2 === 0)
          await keeper.call(routes.releaseDomain, { params: { id: server.id, domain_id: secondary.id } })
        else if (!secondary)
          await keeper.call(routes.addSecondaryDomain, { params: params(server), body: name(newName()) })
        if (round % 3 === 0)
          await keeper.call(routes.setPrimaryDomain, { params: params(server), body: name(newName()) })
      }
      await delay(randomInt(300))
      if (round % 3 === 0) await dns.stop() // by SIGKILL
      await delay(randomInt(300))
      await kill(worker)
      if (round % 3 === 0) await dns.start()
      worker = startWorker()
    }
    const wanted = new Map<string, boolean>()
    for (const fqdn of everything) wanted.set(fqdn, false)
    for (const server of servers) for (const { fqdn } of (await list(server, keeper)).domains) wanted.set(fqdn, true)
    expect([...wanted.values()].filter((isThere) => !isThere).length).toBeGreaterThan(2)
    // A lease of one that was killed ends within 15 seconds.
    await vi.waitFor(
      async () => {
        for (const [fqdn, isThere] of wanted) expect(await digAll(fqdn), fqdn).toEqual(isThere ? recordsOf(fqdn) : [])
      },
      { timeout: 45_000, interval: 300 },
    )
    for (const server of servers)
      await vi.waitFor(async () =>
        expect(
          (await list(server, keeper)).domains.every(({ state, error }) => state === 'works' && error === null),
        ).toBe(true),
      )
  },
  600_000,
)

test.runIf(isLong)('what somebody changes at the name server is found, told of, and set right', async () => {
  const server = await rent()
  const { fqdn, id } = await primaryOf(server)
  await untilLeads(fqdn)
  const check = () => outcomeOf(owner.call(routes.checkAddress, { params: { id: server.id, domain_id: id } }))
  await vi.waitFor(async () => expect(await check()).toBe('success'))
  await dns.set(zone, fqdn, 'A', [])
  expect(await check()).toBe('pdns_record_not_found')
  await untilLeads(fqdn)
  // And without anybody who asks, other records of the zone staying as they are.
  await dns.set(zone, `_minecraft._tcp.${fqdn}`, 'SRV', [`0 5 1 evil.${zone}.`])
  await dns.set(zone, `status.${zone}`, 'A', ['192.0.2.99'])
  await vi.waitFor(async () => expect((await primaryOf(server)).state).toBe('works'))
  expect(await compareZones(createRecordDeps(api.context))).toBe(1)
  await untilLeads(fqdn)
  expect(await dns.dig(`status.${zone}`, 'A')).toEqual(['60 A 192.0.2.99'])
  await vi.waitFor(async () => expect(await compareZones(createRecordDeps(api.context))).toBe(0))
  // Its records go with the server.
  await inTransaction(api.context.db, (trx) => endServer(trx, server.id, new Date()))
  await untilGone(fqdn)
})

test.runIf(isLong)(
  'a zone that the name server does not have is told of, and made where its name servers are known',
  async () => {
    const other = 'other.testing.example'
    await sql`update clusters set zone_name = ${other}`.execute(api.context.db)
    const server = await rent()
    const { fqdn, id } = await primaryOf(server)
    await vi.waitFor(
      async () => expect(await primaryOf(server)).toMatchObject({ state: 'waiting', error: 'zone_id_not_found' }),
      { timeout: 10_000 },
    )
    expect(await outcomeOf(owner.call(routes.checkAddress, { params: { id: server.id, domain_id: id } }))).toBe(
      'zone_id_not_found',
    )
    await work?.close()
    work = beginAddressWork({
      ...api.context,
      settings: { ...api.context.settings, DNS_NAMESERVERS: ['ns1.testing.example', 'ns2.testing.example'] },
    })
    await sql`update domains set look_at = now() where fqdn = ${fqdn}`.execute(api.context.db)
    await untilLeads(fqdn)
    // In what order is up to the name server.
    expect((await dns.dig(other, 'NS')).map((line) => line.split(' ').slice(1).join(' ')).toSorted()).toEqual([
      'NS ns1.testing.example.',
      'NS ns2.testing.example.',
    ])
    await sql`update clusters set zone_name = ${zone}`.execute(api.context.db)
  },
)

/** As if time had passed: the next look is now. */
const lookNow = (fqdn: string) =>
  sql`with claims as (update domain_claims set look_at = now() where fqdn = ${fqdn})
    update domains set look_at = now() where fqdn = ${fqdn}`.execute(api.context.db)
const own = async (server: Server, fqdn: string) => (await list(server)).domains.find((one) => one.fqdn === fqdn)
const untilOwn = async (server: Server, fqdn: string, wanted: object | undefined) => {
  await vi.waitFor(
    async () => {
      await lookNow(fqdn)
      const now = await own(server, fqdn)
      if (wanted === undefined) expect(now).toBeUndefined()
      else expect(now).toMatchObject(wanted)
    },
    { timeout: 15_000, interval: 300 },
  )
}
type Target = { record_name: string; record_type: string; dns_content: string }
const setTarget = ({ record_name, record_type, dns_content }: Target) =>
  dns.set(world, record_name, record_type, [record_type === 'TXT' ? `"${dns_content}"` : dns_content])

test('a domain of one’s own leads to the server once its TXT record is there, and no longer than that', async () => {
  const server = await rent()
  const fqdn = `mc.${world}`
  for (const bad of [zone, `x.${zone}`, 'localhost', '10.0.0.1', 'a b.example', 'http://x.example/'])
    expect(
      await outcomeOf(owner.call(routes.addOwnDomain, { params: params(server), body: { fqdn: bad } })),
      bad,
    ).toMatch(/^(invalid_request|domain_invalid_subdomain)$/)
  const claimed = await owner.call(routes.addOwnDomain, { params: params(server), body: { fqdn: `MC.${world}.` } })
  expect(claimed).toMatchObject({ fqdn, state: 'unproven', external_ns: true, kind: 'secondary' })
  const [proof, cname, srv] = claimed.targets
  expect([proof, cname, srv]).toMatchObject([
    { record_name: `_wakestone.${fqdn}`, record_type: 'TXT', mode: 'own' },
    { record_name: fqdn, record_type: 'CNAME', dns_content: `${server.domains[0]!.fqdn}.` },
    { record_name: `_minecraft._tcp.${fqdn}`, record_type: 'SRV' },
  ])
  await untilOwn(server, fqdn, { state: 'unproven' })
  // Nothing leads there by then, and another's proof proves nothing.
  expect((await owner.call(getServer, { params: params(server) })).domains).toHaveLength(1)
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', ['"wakestone-proof=somebody-elses"'])
  await untilOwn(server, fqdn, { state: 'unproven' })

  await setTarget(proof!)
  await untilOwn(server, fqdn, { state: 'waiting' })
  expect((await owner.call(getServer, { params: params(server) })).domains.map((one) => one.fqdn)).toContain(fqdn)
  await dns.set(world, fqdn, 'A', ['192.0.2.7'])
  await untilOwn(server, fqdn, { state: 'works', proof_missing_since: null })
  await dns.set(world, fqdn, 'A', ['198.51.100.1'])
  await untilOwn(server, fqdn, { state: 'waiting' })
  await setTarget(srv!)
  await untilOwn(server, fqdn, { state: 'works' })

  // It may be what players are told.
  await owner.call(routes.setPrimaryDomain, { params: params(server), body: { subdomain: 'mc', zone_name: world } })
  expect((await owner.call(getServer, { params: params(server) })).address).toBe(fqdn)

  // While the name server is silent nothing is concluded.
  await dns.stop()
  await untilOwn(server, fqdn, { state: 'works', proof_missing_since: null })
  await dns.start()
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [])
  await untilOwn(server, fqdn, { proof_missing_since: expect.any(String) })
  await setTarget(proof!)
  await untilOwn(server, fqdn, { proof_missing_since: null })
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [])
  await untilOwn(server, fqdn, { proof_missing_since: expect.any(String) })
  await sql`update domains set proof_missing_since = now() - interval '71 hours' where fqdn = ${fqdn}`.execute(
    api.context.db,
  )
  await untilOwn(server, fqdn, { state: 'works', kind: 'primary' })
  await sql`update domains set proof_missing_since = now() - interval '73 hours' where fqdn = ${fqdn}`.execute(
    api.context.db,
  )
  await untilOwn(server, fqdn, undefined)
  expect(await primaryOf(server)).toMatchObject({ fqdn: server.domains[0]!.fqdn })
})

test('whoever proves a domain has it: a claim blocks nobody, and an old proof gives way once it is gone', async () => {
  const [first, second] = [await rent(), await rent()]
  const fqdn = `shared.${world}`
  const claim = (server: Server) => owner.call(routes.addOwnDomain, { params: params(server), body: { fqdn } })
  const [one, other] = [await claim(first), await claim(second)]
  expect(await outcomeOf(claim(first))).toBe('resource_already_exists')
  const proofOf = ({ targets }: typeof one) => `"${targets[0]!.dns_content}"`
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [proofOf(one)])
  await untilOwn(first, fqdn, { state: 'waiting' })
  await untilOwn(second, fqdn, { state: 'unproven' })
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [proofOf(one), proofOf(other)])
  await untilOwn(second, fqdn, { state: 'unproven', error: 'resource_already_exists' })
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [proofOf(other)])
  await untilOwn(second, fqdn, { state: 'waiting' })
  expect(await own(first, fqdn)).toBeUndefined()
})

test('a domain in another alphabet is shown as what it is', async () => {
  const server = await rent()
  const address = await owner.call(routes.addOwnDomain, {
    params: params(server),
    body: { fqdn: `gęś.${world}` },
  })
  expect(address).toMatchObject({ fqdn: `xn--g-1ia2r.${world}`, unicode: `gęś.${world}`, join: `xn--g-1ia2r.${world}` })
})
