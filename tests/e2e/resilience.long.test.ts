/**
 * Parts of the product are killed while a player plays: the player stays, and everything comes back and tells the truth.
 * Each test leaves the product whole for the next one.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import mineflayer from 'mineflayer'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import type { ServerStatus } from '@wakestone/contract/servers/server'
import { runtimeRoot } from '../../apps/server/src/adapters/clusters/process/paths.ts'
import { findFirstChild } from '../../apps/server/src/adapters/clusters/process/processes.ts'
import { demoAccount } from '../../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { createCookieClient } from '../support/api.ts'
import { isDown, isUp, order, prepareArtifacts, untilStatus } from '../support/servers.ts'
import { startStandalone, type Standalone } from '../support/standalone.ts'

/** Nobody pays here: an address of a provider keeps its simulator from starting. The floor is in MiB. */
const env = { PAYU_URL: 'http://127.0.0.1:9', DISK_FLOOR: '96' }

let product: Standalone
let client: ReturnType<typeof createCookieClient>
let serverId: string
let host: string
const bots: Bot[] = []
type Bot = Awaited<ReturnType<typeof join_>>

/** Root gets a disk of its own, which may be filled; in MiB. */
const diskSize = 1536
const hasDisk = process.getuid?.() === 0

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-e2e-'))
  if (hasDisk) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}m`, 'tmpfs', dataDir])
  await prepareArtifacts({ dataDir })
  product = await startStandalone({ dataDir, env })
  client = createCookieClient(product.origin)
  const { secrets } = product
  const user = await client.call(users.loginLocal, {
    body: { login: demoAccount.email, password: secrets.demoPassword },
  })
  const games = await client.call(routes.listGames, {})
  const engine = games[0]!.engines.find(({ id }) => id === 'flying-squid')!
  const body = order(user.wallets[0]!.id, engine.latest, {
    requested_billing_services: ['FREE'],
    currency: user.wallets[0]!.currency,
  })
  const server = await client.call(routes.createServer, { body })
  serverId = server.id
  host = server.domains[0]!.fqdn
  await untilStatus(client, serverId, isUp)
})
afterEach(() => {
  for (const bot of bots.splice(0)) bot.leave()
})
afterAll(async () => {
  await product?.stop()
  if (hasDisk && product !== undefined) execFileSync('umount', ['--lazy', product.dataDir])
  await product?.dispose()
  if (product !== undefined) rmSync(runtimeRoot(product.dataDir), { recursive: true, force: true })
})

const running = (status: ServerStatus, ...names: string[]) =>
  status.activity === null &&
  names.every((name) => status.players.names.includes(name)) &&
  status.players.names.length === names.length

async function join_(username: string) {
  const bot = mineflayer.createBot({
    host: '127.0.0.1',
    port: product.gamePort,
    fakeHost: host,
    username,
    auth: 'offline',
    version: '1.21.4',
    hideErrors: true,
  })
  let hasEnded = false
  bot.on('error', () => undefined)
  bot.on('end', () => {
    hasEnded = true
  })
  await new Promise<void>((resolve, reject) => {
    bot.once('spawn', () => resolve())
    bot.once('end', (reason) => reject(new Error(`could not join: ${reason}`)))
  })
  const heard = (text: string) =>
    new Promise<void>((resolve) => {
      bot.on('messagestr', (line) => {
        if (line.includes(text)) resolve()
      })
    })
  return { plays: () => !hasEnded, leave: () => bot.end(), chat: (text: string) => bot.chat(text), heard }
}
async function joinGame(username: string): Promise<Bot> {
  const bot = await join_(username)
  bots.push(bot)
  return bot
}

async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  milliseconds = 30_000,
): Promise<T> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`${what}: not in time\n${product.output().slice(-2000)}`)
    await delay(20)
  }
}

/** The file is rewritten with each start: a look in between finds it torn. */
function readPid(part: string): number | undefined {
  try {
    return (
      JSON.parse(readFileSync(join(product.dataDir, 'standalone.parts.json'), 'utf8')) as Record<
        string,
        { pid: number }
      >
    )[part]?.pid
  } catch {
    return undefined
  }
}
const pidOf = (part: string) => readPid(part)!
const isReady = () =>
  fetch(`${product.origin}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )
const isReborn = (part: string, pid: number) =>
  until(`${part} is started again`, () => ![pid, undefined].includes(readPid(part)))
const status = () => client.call(routes.getServerStatus, { params: { id: serverId } })
const countEvents = async (action: 'SERVER_POD_CRASHED' | 'GAME_CRASHED' | 'GAME_STARTED') =>
  (await client.call(routes.listServerEvents, { params: { id: serverId }, query: { action } })).count

test('api and worker: the player stays, and the panel tells the truth again', async () => {
  const stays = await joinGame('Stays')
  const leaves = await joinGame('Leaves')
  await untilStatus(client, serverId, (now) => running(now, 'Stays', 'Leaves'))
  const [api, worker] = [pidOf('api'), pidOf('worker')]
  process.kill(api, 'SIGKILL')
  process.kill(worker, 'SIGKILL')
  leaves.leave()
  await Promise.all([isReborn('api', api), isReborn('worker', worker)])
  await until('the API is ready', isReady)
  const began = Date.now()
  await untilStatus(client, serverId, (now) => running(now, 'Stays'), 5_000)
  console.log(`truth after the return of api and worker: ${Date.now() - began} ms`)
  expect(stays.plays()).toBe(true)
  const heard = stays.heard('still here')
  stays.chat('still here')
  await heard
  expect(await countEvents('SERVER_POD_CRASHED')).toBe(0)
})

test('supervisor: the server is back by itself, the crash noted', async () => {
  const { 'child-pid': sandbox } = JSON.parse(
    readFileSync(join(product.dataDir, 'servers', serverId, 'host', 'info.json'), 'utf8'),
  ) as { 'child-pid': number }
  const before = { started: await countEvents('GAME_STARTED'), launched: (await status()).launched }
  const began = Date.now()
  process.kill(findFirstChild(sandbox)!, 'SIGKILL')
  await untilStatus(client, serverId, (now) => isUp(now) && now.launched !== before.launched, 30_000)
  console.log(`back after the death of its supervisor: ${Date.now() - began} ms`)
  expect(await countEvents('SERVER_POD_CRASHED')).toBe(1)
  expect(await countEvents('GAME_CRASHED')).toBe(1)
  expect(await countEvents('GAME_STARTED')).toBe(before.started + 1)
  await joinGame('Returns')
})

test('gateway: players are back at once', async () => {
  const gateway = pidOf('gateway')
  process.kill(gateway, 'SIGKILL')
  const began = Date.now()
  await until('a player joins', () => joinGame('Back').catch(() => undefined))
  console.log(`rejoined after the death of the gateway: ${Date.now() - began} ms`)
})

test('PostgreSQL: the game goes on, nothing is lost', async () => {
  const bot = await joinGame('Plays')
  await untilStatus(client, serverId, (now) => running(now, 'Plays'))
  const postmaster = Number(
    readFileSync(join(product.dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  process.kill(postmaster, 'SIGKILL')
  const second = await joinGame('WhileAway') // the gateway needs no database
  await until('the API is ready', isReady, 60_000)
  const began = Date.now()
  await untilStatus(client, serverId, (now) => running(now, 'Plays', 'WhileAway'), 30_000)
  console.log(`truth after the return of PostgreSQL: ${Date.now() - began} ms`)
  expect([bot.plays(), second.plays()]).toEqual([true, true])

  await client.call(routes.stopServer, { params: { id: serverId } })
  await untilStatus(client, serverId, isDown)
  await client.call(routes.startServer, { params: { id: serverId } })
  await untilStatus(client, serverId, isUp)
})

test.runIf(hasDisk)(
  'a full disk: games are stopped, the database lives, and games are back with the space',
  async () => {
    const { dataDir } = product
    const crashesOfGames = await countEvents('GAME_CRASHED')
    const mebibyte = 1024 * 1024
    const free = () => {
      const { bavail, bsize } = statfsSync(dataDir)
      return (bavail * bsize) / mebibyte
    }
    const hog = join(dataDir, 'hog')
    /** Takes space until so many MiB are left, or nothing is. */
    const fill = (left: number) => {
      try {
        while (free() > left) appendFileSync(hog, Buffer.alloc(Math.ceil(Math.min(8, free() - left)) * mebibyte))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    /** Undefined while it is being written anew. */
    const sandboxPid = () => {
      const info = readFileSync(join(dataDir, 'servers', serverId, 'host', 'info.json'), 'utf8')
      return /"child-pid": *(\d+)/.exec(info)?.[1]
    }
    const sandbox = sandboxPid()
    expect(sandbox).toBeDefined()
    await until('space is set aside', () => existsSync(join(dataDir, 'reserve')))

    fill(80)
    await until('the games are told to stop', () => product.output().includes('games are stopped until there is more'))
    await until('the game is gone', () => !existsSync(`/proc/${sandbox}`), 60_000)
    fill(0)
    await until('the reserve is given up', () => !existsSync(join(dataDir, 'reserve')))
    const { secrets, origin } = product
    const login = { login: demoAccount.email, password: secrets.demoPassword }
    await until('somebody can sign in', async () =>
      createCookieClient(origin)
        .call(users.loginLocal, { body: login })
        .then(() => true)
        .catch(() => false),
    )
    expect(product.process.exitCode).toBeNull()

    rmSync(hog)
    await until('games may run', () => product.output().includes('again: games are started'))
    await untilStatus(client, serverId, (now) => isUp(now) && ![undefined, sandbox].includes(sandboxPid()), 60_000)
    await until('players are led in again', () => joinGame('Returns').catch(() => undefined))
    expect(await countEvents('GAME_CRASHED')).toBe(crashesOfGames)
  },
)

test('Ctrl-C and a second start: the server comes back, and nobody speaks of a crash', async () => {
  const crashes = await countEvents('SERVER_POD_CRASHED')
  const { dataDir, origin, gamePort } = product
  expect(await product.stop()).toBe(0)
  expect(existsSync(join(dataDir, 'standalone.lock'))).toBe(false)
  product = await startStandalone({
    dataDir,
    env,
    ports: { http: Number(new URL(origin).port), game: gamePort, sftp: 0 },
  })
  await untilStatus(client, serverId, isUp)
  expect(await countEvents('SERVER_POD_CRASHED')).toBe(crashes)
})
