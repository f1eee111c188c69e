import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepRoutes, loadRoutes } from './route-file.ts'
import { followRoutes, type RouteFeed } from './route-feed.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import { makeFolder, silent } from './test-support/gateway.ts'
import { FEED_TOKEN, makeRoute, type RouteFeedServer, startRouteFeed } from './test-support/route-feed-server.ts'
import { until } from './test-support/wire.ts'

let server: RouteFeedServer
let table: RouteTable
let feed: RouteFeed | undefined

beforeEach(async () => {
  server = await startRouteFeed([makeRoute({ host: 'a.test' }), makeRoute({ host: 'b.test' })])
  table = createRouteTable()
})
afterEach(async () => {
  feed?.close()
  await server.close()
})

function follow(options: { token?: string; silenceMs?: number } = {}) {
  return (feed = followRoutes({ apiUrl: `${server.url}/`, token: FEED_TOKEN, table, logger: silent, ...options }))
}
const hosts = () =>
  table
    .all()
    .map(({ host }) => host)
    .toSorted()

test('a snapshot replaces all, changes follow', async () => {
  table.set(makeRoute({ host: 'old.test' }))
  const { isConnected } = follow()
  await until(isConnected, 'connected')
  expect(hosts()).toEqual(['a.test', 'b.test'])
  server.set(makeRoute({ host: 'c.test' }))
  server.remove('a.test')
  await until(() => !table.find('a.test'), 'changes')
  expect(hosts()).toEqual(['b.test', 'c.test'])
})

test('lines cut anywhere, even inside a letter, are put together', async () => {
  const { isConnected } = follow()
  await until(isConnected, 'connected')
  const line = Buffer.from(
    `${JSON.stringify({ type: 'set', route: makeRoute({ host: 'c.test', serverName: 'Żółw 🐢' }) })}\n`,
  )
  for (const byte of line) {
    server.say(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  await until(() => table.find('c.test') !== undefined, 'change')
  expect(table.find('c.test')?.serverName).toBe('Żółw 🐢')
})

test('what is not understood is left out, and the feed goes on', async () => {
  const { isConnected } = follow()
  await until(isConnected, 'connected')
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.string().map((text) => text.replaceAll('\n', ' ')),
      ),
      async (line) => {
        server.say(`${line}\n`)
      },
    ),
  )
  server.say(`${JSON.stringify({ type: 'hologram', host: 'a.test' })}\n`)
  const good = makeRoute({ host: 'good.test' })
  server.say(`${JSON.stringify({ type: 'snapshot', routes: [{ host: 'bad.test' }, null, good] })}\n`)
  await until(() => table.find('good.test') !== undefined, 'good route')
  expect(hosts()).toEqual(['good.test'])
  expect(server.requests()).toBe(1)
})

test('without the right token it keeps what it has, and keeps asking', async () => {
  table.set(makeRoute({ host: 'old.test' }))
  const { isConnected } = follow({ token: 'another' })
  await until(() => server.requests() >= 3, 'asked again')
  expect(isConnected()).toBe(false)
  expect(hosts()).toEqual(['old.test'])
})

test('a control plane that falls silent or goes away is asked again; routes stay meanwhile', async () => {
  const { isConnected } = follow({ silenceMs: 150 })
  await until(() => server.requests() >= 2, 'asked again after a silence')
  const { port } = server
  await server.close()
  await until(() => !isConnected(), 'away')
  expect(hosts()).toEqual(['a.test', 'b.test'])
  server = await startRouteFeed([makeRoute({ host: 'c.test' })], { port })
  await until(() => table.find('c.test') !== undefined, 'back')
  expect(hosts()).toEqual(['c.test'])
})

test('the copy on disk equals the table, and is private', async () => {
  const folder = await makeFolder()
  try {
    const file = join(folder, 'gateway', 'routes.json')
    const kept = keepRoutes(file, table, silent)
    for (let turn = 0; turn < 200; turn++) table.set(makeRoute({ host: `${turn % 20}.test` }))
    table.remove('3.test')
    await kept.close()
    const copy = createRouteTable()
    await loadRoutes(file, copy, silent)
    expect(copy.all()).toEqual(table.all())
    expect(copy.all()).toHaveLength(19)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const routes = copy.all()
    await writeFile(file, JSON.stringify({ version: 1, routes })) // as earlier versions wrote it
    const old = createRouteTable()
    await loadRoutes(file, old, silent)
    expect(old.all()).toEqual(routes)
    await writeFile(file, '{"version":1,"routes":[{"ho')
    await loadRoutes(file, old, silent) // said in the log, and no obstacle
    expect(old.all()).toEqual(routes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
