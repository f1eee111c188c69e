/** Players join by every name of a rented server, a domain of its owner's among them, and speak through its port. */
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createLogger } from '@wakestone/kit/logger'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/addresses-routes'
import { acquirePort } from '@wakestone/contract/servers/ports-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Gateway, startGateway } from '../../apps/gateway/src/start-gateway.ts'
import { joinGame } from '../../apps/gateway/src/test-support/game.ts'
import { canSeparateNetworks } from '../../apps/server/src/adapters/clusters/process/test-support/machine.ts'
import { beginAddressWork } from '../../apps/server/src/features/servers/addresses/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { freeUdpPort } from '../support/bedrock-game.ts'
import { startPowerDns, type TestPowerDns } from '../support/power-dns.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const zone = 'play.joining.example'
const world = 'customer.example'
let dns: TestPowerDns
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let work: ReturnType<typeof beginAddressWork> | undefined
let gateway: Gateway
let gatewayDir: string
let owner: Caller
let server: Server
let port: number

beforeAll(async () => {
  dns = await startPowerDns({ zones: [zone, world] })
  port = await freeUdpPort()
  api = await startTestApi({
    ...dns.settings,
    GAME_DOMAIN: zone,
    DNS_IPV4: '127.0.0.1',
    DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
    LIMIT_ADDRESS_CHANGES: '0',
    EXTRA_PORTS: `${port}-${port}`,
  })
  worker = await startTestWorker(api)
  work = beginAddressWork(api.context)
  gatewayDir = mkdtempSync(join(tmpdir(), 'wakestone-gateway-'))
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: gatewayDir,
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 100,
    connectionRate: 1_000,
    handshakeSeconds: 10,
    wakesPerAddress: 100,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
  })
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 20_000)
  server = await owner.call(createServer, {
    body: order(walletId, engineVersion, { requested_billing_services: ['AMETHYST'] }),
  })
  await untilStatus(owner, server.id, isUp)
})
afterAll(async () => {
  await gateway?.close()
  await work?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  await dns?.close()
  if (gatewayDir) rmSync(gatewayDir, { recursive: true, force: true })
})

const params = () => ({ id: server.id })

/** Joins as whoever types this name does, which has to lead to the gateway by then. */
async function joinBy(name: string, username: string) {
  expect(await dns.dig(name, 'A')).toMatchObject([expect.stringMatching(/ A 127\.0\.0\.1$/)])
  const player = await joinGame(gateway.port, name, username)
  await untilStatus(owner, server.id, ({ players }) => players.names.includes(username))
  player.quit()
  await player.end
}

test('by the first name, by another one, and by a domain of the owner’s; no longer by one that was given up', async () => {
  const [{ fqdn: first }] = server.domains as [Server['domains'][number]]
  const second = await owner.call(routes.addSecondaryDomain, {
    params: params(),
    body: { subdomain: 'second-home', zone_name: zone },
  })
  await vi.waitFor(async () => expect(await dns.dig(second.fqdn, 'A')).toHaveLength(1), { timeout: 10_000 })
  await joinBy(first, 'ByFirst')
  await joinBy(second.fqdn, 'BySecond')

  const fqdn = `mc.${world}`
  const claimed = await owner.call(routes.addOwnDomain, { params: params(), body: { fqdn } })
  await dns.set(world, fqdn, 'A', ['127.0.0.1'])
  // Whoever has not proved it gains nothing by pointing it here.
  await expect(joinGame(gateway.port, fqdn, 'TooEarly')).rejects.toThrow('No server lives at this address')
  await dns.set(world, `_wakestone.${fqdn}`, 'TXT', [`"${claimed.targets[0]!.dns_content}"`])
  await vi.waitFor(
    async () => {
      const checked = await owner.call(routes.checkAddress, {
        params: { id: server.id, domain_id: claimed.id },
      })
      expect(checked.external_ns && checked.state !== 'unproven').toBe(true)
    },
    { timeout: 30_000 },
  )
  await vi.waitFor(() => joinBy(fqdn, 'ByDomain'), { timeout: 20_000, interval: 500 })

  await owner.call(routes.releaseDomain, { params: { id: server.id, domain_id: second.id } })
  await vi.waitFor(async () => expect(await dns.dig(second.fqdn, 'A')).toEqual([]), { timeout: 10_000 })
  await expect(joinGame(gateway.port, second.fqdn, 'TooLate')).rejects.toThrow('No server lives at this address')
  await joinBy(first, 'StillFirst')
})

/** What a plugin with voice chat does, within the network of the running server. */
const ECHO = `
const port = Number(process.argv[1])
const udp = require('node:dgram').createSocket('udp4')
udp.on('message', (bytes, from) => udp.send('heard ' + bytes, from.port, from.address)).bind(port)
require('node:net').createServer((socket) => socket.on('error', () => {}).end('a page')).listen(port, () => console.log('up'))`

test.runIf(canSeparateNetworks)(
  'voice by UDP and a page by TCP reach the running server by the port it has taken',
  async () => {
    const namespace = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.split(' ')[0]!)
      .find((name) => name.endsWith(server.id))!
    const plugin = spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', ECHO, String(port)])
    onTestFinished(() => void plugin.kill('SIGKILL'))
    await once(plugin.stdout, 'data')

    const voice = createSocket('udp4')
    onTestFinished(() => void voice.close())
    voice.on('error', () => {})
    const heard: string[] = []
    voice.on('message', (bytes) => heard.push(String(bytes)))
    const say = (text: string) => voice.send(text, port, '127.0.0.1', () => {})
    say('before')
    const taken = await owner.call(acquirePort, { params: params(), body: { name: 'Voice chat' } })
    expect(taken).toMatchObject({ port, target_port: port })
    await vi.waitFor(
      () => {
        say('hello')
        expect(heard).toContain('heard hello')
      },
      { timeout: 15_000, interval: 100 },
    )
    expect(heard).not.toContain('heard before')
    const page = connect(port, '127.0.0.1')
    expect(String((await once(page, 'data'))[0])).toBe('a page')
    page.destroy()

    // A plan that is smaller by now leads no more of them than it has.
    await sql`update servers set limits = jsonb_set(limits, '{ports}', '0') where id = ${server.id}`.execute(
      api.context.db,
    )
    await vi.waitFor(
      async () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        const met = await Promise.race([
          once(socket, 'connect').then(() => 'connected'),
          new Promise((done) => socket.once('close', () => done('refused'))),
        ]).catch(() => 'refused')
        socket.destroy()
        expect(met).not.toBe('connected')
      },
      { timeout: 10_000 },
    )
  },
)
