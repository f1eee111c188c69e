/**
 * From the version before to this one while twenty people play: first the database, then one program after another, each
 * new one begun before an old one ends. Nobody leaves, and no request is lost.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bot } from 'mineflayer'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from './support/database.ts'
import { type Instance, openInstances, repository } from './support/instances.ts'
import { openOldTree } from './support/old-tree.ts'
import { joinServer, waitForChat } from './support/player.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** Unlike each other: many who come at once under names of one kind are taken for bots. */
const names =
  'Anna Borys Celina Dawid Ewelina Fryderyk Gosia Hubert Irena Jacek Kalina Lech Mirka Norbert Oliwia Przemek Rita Szymon Teresa Wiktor'.split(
    ' ',
  )
const players = names.length

let old: ReturnType<typeof openOldTree>
let database: { url: string; drop(): Promise<unknown> }
let product: Awaited<ReturnType<typeof openInstances>>

/** An empty database, which the version before lays out. */
async function layOutOld(): Promise<typeof database> {
  const present = await createTestDatabase()
  const admin = new pg.Client(present.url)
  await admin.connect()
  const url = new URL(present.url)
  url.pathname = `${url.pathname}_before`
  await admin.query(`create database ${url.pathname.slice(1)} template template0`)
  migrate(old.root, url.href)
  return {
    url: url.href,
    async drop() {
      await admin.query(`drop database if exists ${url.pathname.slice(1)} with (force)`)
      await admin.end()
      await present.drop()
    },
  }
}
const migrate = (root: string, url: string) =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/migrate.ts')], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: url },
    encoding: 'utf8',
  })

beforeAll(async () => {
  old = openOldTree()
  database = await layOutOld()
  product = await openInstances(database.url)
})
afterAll(async () => {
  await product?.close()
  await database?.drop()
  old?.remove()
})

test('twenty players stay through a rolling upgrade from the version before, and no request is lost', async () => {
  const { root } = old
  const apis = [await product.start('api', { root }), await product.start('api', { root })]
  const workers = [await product.start('worker', { root }), await product.start('worker', { root })]
  const gateways = [
    await product.start('gateway', { root, env: { GATEWAY_DRAIN_SECONDS: '600' } }),
    await product.start('gateway', { root, env: { GATEWAY_DRAIN_SECONDS: '600' } }),
  ]
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query(`update products set parameters = jsonb_set(parameters::jsonb, '{players}', '30')`)
  const owner = await product.rent()
  const bots: Bot[] = []
  const gone: string[] = []
  for (const username of names) {
    const bot = await joinServer({ host: owner.host, gamePort: product.gamePort, username })
    bot.once('end', (reason) => void gone.push(`${username}: ${reason}`))
    bots.push(bot)
  }
  await expect.poll(async () => (await owner.status()).players.online, { timeout: 20_000 }).toBe(players)
  const launched = (await owner.status()).launched

  const errors: string[] = []
  let answered = 0
  let isOver = false
  const asking = Array.from({ length: 4 }, async () => {
    for (; !isOver; await delay(20))
      try {
        const response = await fetch(`${product.origin}/api/v1/servers/${owner.id}`, {
          headers: { cookie: owner.cookie(), connection: 'close' },
        })
        await response.arrayBuffer()
        if (response.ok) answered++
        else errors.push(String(response.status))
      } catch (error) {
        errors.push(String((error as Error).cause ?? error))
      }
  })

  // The database first: the version before goes on with it.
  migrate(repository, database.url)
  await delay(2_000)
  for (const one of apis) await replace(one)
  for (const one of workers) await replace(one)
  for (const one of gateways) {
    await product.start('gateway', { env: { GATEWAY_DRAIN_SECONDS: '600' } })
    await giveWay(one, root)
  }
  await delay(5_000)
  isOver = true
  await Promise.all(asking)
  expect(errors).toEqual([])
  expect(answered).toBeGreaterThan(100)
  expect(gone).toEqual([])

  // They are all in the game that they were in, which others reach by the new gateways, and the new control plane counts.
  const late = await joinServer({ host: owner.host, gamePort: product.gamePort, username: 'Late' })
  const heard = Promise.all(bots.map((bot) => waitForChat(bot, /here I am/)))
  late.chat('here I am')
  await heard
  await expect.poll(async () => (await owner.status()).players.online, { timeout: 20_000 }).toBe(players + 1)
  expect((await owner.status()).launched).toBe(launched)
  expect(gone).toEqual([])

  // Once they have left, the old gateways are not needed any more.
  for (const bot of [...bots, late]) bot.end()
  await expect.poll(async () => (await owner.status()).players.online, { timeout: 20_000 }).toBe(0)
  await client.end()
})

/** Another one of this version begins; the old one is sent nothing more, and told to end. */
async function replace(one: Instance): Promise<void> {
  await product.start(one.part)
  product.lead([one])
  await delay(500)
  await one.end('SIGTERM')
}

/** An old gateway gets nobody new. One that can wait for its players is told to end; of one that cannot, they just stay there. */
async function giveWay(one: Instance, root: string): Promise<void> {
  product.lead([one])
  const settings = join(root, 'packages/kit/src/settings/servers.ts')
  const waits = existsSync(settings) && readFileSync(settings, 'utf8').includes('GATEWAY_DRAIN_SECONDS')
  if (waits) one.process.kill('SIGTERM')
}
