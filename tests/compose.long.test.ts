/**
 * What `deploy/compose` describes, built and brought up with Podman, and the story of a first customer told of it; then what
 * operators do with it: a worker that dies, down and up again, an upgrade to another image.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { listUserServers, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createBackup, listBackups } from '@wakestone/contract/servers/backups-routes'
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { createCookieClient } from './support/api.ts'
import { provideArtifacts } from './support/artifacts.ts'
import { openBrowser } from './support/browser.ts'
import { buildStandIns, type Composed, findComposeFault, openCompose } from './support/compose.ts'
import { joinOnceAwake } from './support/player.ts'
import { findFreePorts, isOpen } from './support/ports.ts'
import { testerSettings } from './support/shared-products.ts'
import { tellStory } from './support/story.ts'

const fault = findComposeFault()
const MINUTE = 60_000
/** Of whoever runs in the image. */
const USER = 10_001

describe.skipIf(fault !== undefined)(`composed with Podman${fault === undefined ? '' : `: ${fault}`}`, () => {
  let composed: Composed
  let browser: Browser
  let payu: Awaited<ReturnType<typeof startPayuSimulator>>
  let product: { origin: string; gamePort: number; dataDir: string }
  let told: Awaited<ReturnType<typeof tellStory>>

  beforeAll(async () => {
    // Containers and the browser reach it at the same address.
    const here = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    if (here === undefined) throw new Error('this machine has no address that containers reach')
    const shop = {
      posId: '300746',
      clientId: '300746',
      clientSecret: 'a secret of the shop',
      secondKey: 'a second key',
    }
    const { http: port } = await findFreePorts()
    payu = await startPayuSimulator({ host: here, port, publicUrl: `http://${here}:${port}`, ...shop })
    const { http, game, sftp } = await findFreePorts()
    composed = await openCompose({
      ...testerSettings,
      WAKESTONE_IMAGE: 'localhost/wakestone:one',
      MACHINE_IMAGE: 'localhost/wakestone-debian',
      POSTGRES_IMAGE: 'localhost/wakestone-postgres',
      REST_SERVER_IMAGE: 'localhost/wakestone-restserver',
      PUBLIC_URL: `http://localhost:${http}`,
      HTTP_PORT: String(http),
      GAME_PORT: String(game),
      SFTP_PORT: String(sftp),
      TRUST_PROXY: '10.0.0.0/8',
      GAME_DOMAIN: 'localhost',
      SITES_DOMAIN: 'sites.localhost',
      ADMIN_EMAIL: 'admin@example.test',
      POSTGRES_PASSWORD: 'a password of the database',
      BACKUP_STORAGE_PASSWORD: 'a password of the storage',
      ALLOW_MISSING_WALLS: 'network,disk,memory',
      SYSTEM_PATHS: 'unmask=ALL',
      PACKAGE_SOURCES: 'none',
      PAYU_URL: `http://${here}:${port}`,
      PAYU_POS_ID: shop.posId,
      PAYU_CLIENT_ID: shop.clientId,
      PAYU_CLIENT_SECRET: shop.clientSecret,
      PAYU_SECOND_KEY: shop.secondKey,
    })
    browser = await openBrowser()
    product = { origin: `http://localhost:${http}`, gamePort: game, dataDir: '' }
  }, MINUTE)

  afterAll(async () => {
    await browser?.close()
    await composed?.close()
    await payu?.close()
  }, 5 * MINUTE)

  test('the image is built', { timeout: 60 * MINUTE }, async () => {
    await buildStandIns(composed)
    await composed.build('localhost/wakestone:one')
    const size = await composed.podman('image', 'inspect', '--format', '{{.Size}}', 'localhost/wakestone:one')
    process.stdout.write(`compose: the image has ${Math.round(Number(size) / 1e6)} MB\n`)
    const bom = await composed.podman(
      'run',
      '--rm',
      '--network=none',
      '--entrypoint=cat',
      'localhost/wakestone:one',
      'sbom/wakestone.cdx.json',
    )
    expect((JSON.parse(bom) as { components: unknown[] }).components.length).toBeGreaterThan(200)
  })

  test('it comes up', { timeout: 10 * MINUTE }, async () => {
    await composed.compose('run', '--rm', 'migrate')
    product.dataDir = await composed.volume('data')
    // Here no maker of engines is reached.
    await provideArtifacts(product.dataDir)
    own(join(product.dataDir, 'artifacts'))
    await composed.compose('up', '--detach')
    expect((await fetch(`${product.origin}/readyz`)).status).toBe(200)
  })

  test('the story of a first customer', { timeout: 10 * MINUTE }, async () => {
    onTestFailed(async () => {
      for (const name of ['api', 'worker', 'gateway'])
        process.stdout.write(await composed.podman('logs', '--tail', '60', await composed.container(name)))
    })
    told = await tellStory(product, browser, 'zosia')
  })

  test('a backup goes to its storage', { timeout: 3 * MINUTE }, async () => {
    const { call } = createCookieClient(product.origin)
    const user = await call(loginLocal, { body: { login: told.login, password: told.password } })
    const [server] = await call(listUserServers, { params: { id: user.id } })
    const params = { id: server!.id }
    await call(createBackup, { params, body: { name: 'To the storage', pinned: false } })
    await expect
      .poll(async () => (await call(listBackups, { params })).map(({ name }) => name), { timeout: 2 * MINUTE })
      .toContain('To the storage')
    expect(readdirSync(await composed.volume('backups')).length).toBeGreaterThan(1)
  })

  test('players stay while the worker dies', { timeout: 3 * MINUTE }, async () => {
    const friend = await enter('Witness')
    let hasLeft = false
    friend.once('end', () => void (hasLeft = true))
    const worker = await composed.container('worker')
    // The brackets: this shell's own line does not match.
    const script = 'for p in /proc/[0-9]*; do grep -qs "src/[w]orker.ts" $p/cmdline && kill -9 ${p#/proc/}; done; true'
    await composed.podman('exec', worker, '/bin/sh', '-c', script)
    await expect
      .poll(() => composed.podman('logs', worker).catch(() => ''), { timeout: MINUTE })
      .toMatch(/at work[\s\S]*at work/)
    await delay(10_000)
    expect(hasLeft).toBe(false)
    friend.end()
  })

  test('what it holds survives down and up', { timeout: 8 * MINUTE }, async () => {
    await composed.compose('down')
    await composed.compose('up', '--detach')
    await expectWorld('Returner')
  })

  test('an upgrade to another image keeps the worlds of servers that run', { timeout: 30 * MINUTE }, async () => {
    await composed.build('localhost/wakestone:two', { version: '0.1.1' })
    composed.set({ WAKESTONE_IMAGE: 'localhost/wakestone:two' })
    await composed.compose('up', '--detach')
    const image = await composed.podman('inspect', '--format', '{{.ImageName}}', await composed.container('worker'))
    expect(image.trim()).toBe('localhost/wakestone:two')
    await expectWorld('Upgraded')
  })

  /** Once the gateway is there, which starts after the others. */
  async function enter(username: string) {
    const isThere = () =>
      fetch(`${product.origin}/readyz`).then(
        ({ ok }) => ok && isOpen(product.gamePort),
        () => false,
      )
    await expect.poll(isThere, { timeout: 3 * MINUTE, interval: 1_000 }).toBe(true)
    return joinOnceAwake({ host: told.host, gamePort: product.gamePort, username }, 3 * MINUTE)
  }

  async function expectWorld(username: string) {
    const friend = await enter(username)
    await expect.poll(() => friend.blockAt(told.block)?.name, { timeout: 15_000 }).toBe('gold_block')
    friend.end()
  }
})

function own(path: string): void {
  execFileSync('chown', ['-R', `${USER}:${USER}`, path])
}
