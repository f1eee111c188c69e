/** A running server as its owner and its players meet it: console, routes of gateways, what happens inside the game. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import mineflayer from 'mineflayer'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getProcess } from '@wakestone/contract/servers/operations-routes'
import { createWorld } from '@wakestone/contract/servers/worlds-routes'
import { installPackages } from '@wakestone/contract/servers/packages-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import type { ConsoleServerFrame } from '@wakestone/contract/servers/stream'
import { consoleServerFrame } from '@wakestone/contract/servers/stream'
import { type RouteMessage, routeMessageSchema } from '@wakestone/protocol/gateway'
import { sealManifest } from '@wakestone/packager/hash'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { packFiles } from '../../apps/supervisor/src/test-support/temp.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { backupsOf } from '../support/backups.ts'
import { isLong } from '../support/long.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string
let host: string
const ends: (() => void)[] = []

beforeAll(async () => {
  api = await startTestApi()
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const began = Date.now()
  const server = await owner.call(routes.createServer, { body: order(walletId, engineVersion, { name: 'Łąka' }) })
  serverId = server.id
  host = server.domains[0]!.fqdn
  await untilStatus(owner, serverId, isUp)
  console.log(`order to running: ${Date.now() - began} ms`)
}, 120_000)
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

async function until<T>(find: () => T | undefined | Promise<T | undefined>, milliseconds = 20_000): Promise<T> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('not in time')
    await delay(20)
  }
}

function openConsole({ cookie }: Pick<Caller, 'cookie'>, { after = 0, origin = api.origin, id = serverId } = {}) {
  const socket = new WebSocket(`${api.origin.replace('http', 'ws')}/api/v1/servers/${id}/console?after=${after}`, {
    headers: { cookie: cookie(), origin },
  })
  const frames: ConsoleServerFrame[] = []
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  socket.addEventListener('message', ({ data }) => frames.push(consoleServerFrame.parse(JSON.parse(String(data)))))
  ends.push(() => socket.close())
  const lines = () => frames.flatMap((frame) => (frame.type === 'console' ? frame.lines : []))
  return {
    socket,
    frames,
    closed,
    lines,
    line: (text: string) => until(() => lines().find((line) => line.text.includes(text))),
    async type(command: string) {
      const commandId = crypto.randomUUID()
      socket.send(JSON.stringify({ type: 'command', id: commandId, command }))
      return until(() => frames.find((frame) => frame.type === 'command_result' && frame.id === commandId)) as Promise<
        Extract<ConsoleServerFrame, { type: 'command_result' }>
      >
    },
  }
}

function joinGame(username: string) {
  return until(async () => {
    const { rows } = await api.context.database.pool.query<{ game_host: string; game_port: number | null }>(
      'select game_host, game_port from servers where id = $1',
      [serverId],
    )
    const [row] = rows
    return row && row.game_port !== null ? { host: row.game_host, port: row.game_port } : undefined
  }).then((address) => {
    const bot = mineflayer.createBot({
      ...address,
      username,
      auth: 'offline',
      version: '1.21.4',
      hideErrors: true,
    })
    bot.on('error', () => undefined)
    ends.push(() => bot.end())
    return new Promise<typeof bot>((resolve, reject) => bot.once('spawn', () => resolve(bot)).once('end', reject))
  })
}

test('the console shows history, live lines, statistics and status, and takes commands', async () => {
  const console = openConsole(owner)
  await until(() => console.frames.find((frame) => frame.type === 'status' && frame.status.game_status === 'IRL_IDLE'))
  await until(() => console.frames.find((frame) => frame.type === 'stats'))
  expect(console.lines().length).toBeGreaterThan(0)
  const bot = await joinGame('Steve')
  await until(() =>
    console.frames.find(
      (frame) =>
        frame.type === 'status' &&
        frame.status.game_status === 'IRL_RUNNING' &&
        frame.status.players.names.includes('Steve'),
    ),
  )
  bot.chat('hello from inside')
  await console.line('hello from inside')
  const heard = new Promise<string>((resolve) => {
    bot.on('messagestr', (text) => {
      if (text.includes('from outside')) resolve(text)
    })
  })
  expect(await console.type('say hello from outside')).toMatchObject({ error: null })
  expect(await heard).toContain('hello from outside')
  expect((await console.type('two\nlines')).error).toBe('invalid_request')

  const last = console.lines().at(-1)!.seq
  const resumed = openConsole(owner, { after: last })
  await until(() => resumed.frames.find((frame) => frame.type === 'status'))
  expect(resumed.lines().every((line) => line.seq > last)).toBe(true)
})

test('players read when their server will restart, and are thrown out no sooner', async () => {
  const params = { id: serverId }
  const { launched } = await owner.call(routes.getServerStatus, { params })
  const bot = await joinGame('Alex')
  await untilStatus(owner, serverId, ({ players }) => players.names.includes('Alex'))
  const heard: string[] = []
  bot.on('messagestr', (text) => void heard.push(text))
  const left = new Promise<number>((resolve) => bot.once('end', () => resolve(Date.now())))
  const began = Date.now()
  await owner.call(routes.restartServer, { params, query: { in_seconds: 8 } })
  expect((await left) - began).toBeGreaterThan(7_900)
  const told = heard.flatMap((text) => /This server restarts in (\d+) seconds?\./.exec(text)?.[1] ?? []).map(Number)
  expect(told.length, heard.join('\n')).toBeGreaterThan(2)
  expect(told).toEqual([...new Set(told)].toSorted((one, other) => other - one))
  await untilStatus(owner, serverId, (status) => isUp(status) && status.launched !== launched)
}, 60_000)

test('players read when a backup will be restored, and why they are thrown out', async () => {
  const { backUp, restore, end } = backupsOf(api, owner, serverId)
  const backup = await backUp()
  const bot = await joinGame('Bea')
  await untilStatus(owner, serverId, ({ players }) => players.names.includes('Bea'))
  const heard: string[] = []
  bot.on('messagestr', (text) => void heard.push(text))
  bot.on('kicked', (reason) => void heard.push(JSON.stringify(reason)))
  const left = new Promise<number>((resolve) => bot.once('end', () => resolve(Date.now())))
  const began = Date.now()
  const begun = await restore(backup.id, { safety: false, in_seconds: 4 })
  expect((await left) - began).toBeGreaterThan(3_900)
  expect(heard.join('\n')).toContain('This server goes back to a backup in 4 seconds.')
  expect(heard.join('\n')).toContain('The server is going back to a backup. Come back in a few minutes.')
  expect(await end(begun)).toMatchObject({ state: 'done', kind: 'backup_restore' })
  await untilStatus(owner, serverId, isUp)
}, 120_000)

test('players read when another world will be played, and why they are thrown out', async () => {
  const bot = await joinGame('Dora')
  await untilStatus(owner, serverId, ({ players }) => players.names.includes('Dora'))
  const heard: string[] = []
  bot.on('messagestr', (text) => void heard.push(text))
  bot.on('kicked', (reason) => void heard.push(JSON.stringify(reason)))
  const left = new Promise<number>((resolve) => bot.once('end', () => resolve(Date.now())))
  const began = Date.now()
  const params = { id: serverId }
  const { process_id } = await owner.call(createWorld, { params, body: { name: 'other', in_seconds: 4 } })
  expect((await left) - began).toBeGreaterThan(3_900)
  expect(heard.join('\n')).toContain('This server restarts in 4 seconds to change its world.')
  expect(heard.join('\n')).toContain('The server restarts to change its world. Come back in a moment.')
  const process = { params: { ...params, process_id: process_id ?? '' } }
  await until(async () => ((await owner.call(getProcess, process)).state === 'done' ? true : undefined), 60_000)
  await untilStatus(owner, serverId, isUp)
}, 120_000)

test('players read when packages will be changed, and why they are thrown out', async () => {
  const name = 'lanterns'
  const archive = await packFiles({ 'lanterns.js': 'module.exports.server = () => {}' })
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const file = `${sha256}.tar.gz`
  const folder = join(api.dataDir, 'artifacts')
  writeFileSync(join(folder, file), archive)
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { artifacts: object[] }
  const manifest = sealManifest({
    manifestVersion: 1,
    name,
    packageVersion: '1.0.0',
    contentVersion: '1.0.0',
    versionFormat: 'semver',
    subdir: 'plugins',
    depends: [],
    dependencies: [],
    provides: [],
    setEnv: [],
    labels: { kind: 'plugin' },
    filesHash: null,
    downloadFiles: [
      { name: file, url: file, hash: `sha256:${sha256}`, size: archive.length, unpack: 'tar.gz', strip: 0 },
    ],
  })
  index.artifacts.push({ name, file, manifest })
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))

  const bot = await joinGame('Cleo')
  await untilStatus(owner, serverId, ({ players }) => players.names.includes('Cleo'))
  const heard: string[] = []
  bot.on('messagestr', (text) => void heard.push(text))
  bot.on('kicked', (reason) => void heard.push(JSON.stringify(reason)))
  const left = new Promise<number>((resolve) => bot.once('end', () => resolve(Date.now())))
  const began = Date.now()
  const params = { id: serverId }
  const body = { packages: [name], in_seconds: 4 }
  const answer = (await owner.call(installPackages, { params, body })) as { install_package_process_id: string }
  const process = { params: { ...params, process_id: answer.install_package_process_id } }
  const told = await until(async () => {
    const { phase, figures } = await owner.call(getProcess, process)
    return phase === 'warn' && figures !== null ? figures.seconds_left : undefined
  })
  expect(told).toBeLessThanOrEqual(4)
  expect((await left) - began).toBeGreaterThan(3_900)
  expect(heard.join('\n')).toContain('This server restarts in 4 seconds to change its plugins or mods.')
  expect(heard.join('\n')).toContain('The server restarts with other plugins or mods. Come back in a moment.')
  await until(async () => ((await owner.call(getProcess, process)).state === 'done' ? true : undefined), 60_000)
  await untilStatus(owner, serverId, isUp)
}, 120_000)

test('the console is closed to others, to other sites and at once to whoever loses the right', async () => {
  const stranger = await api.signUp()
  expect(await openConsole({ cookie: () => '' }).closed).toBe(4401)
  expect(await openConsole(stranger).closed).toBe(4404)
  expect(await openConsole(owner, { origin: 'https://evil.example' }).closed).toBe(1006)
  expect(await openConsole(owner, { id: 'nonsense' }).closed).toBe(4404)

  const grant = (name: string, value: string) =>
    inTransaction(api.context.db, (trx) =>
      trx
        .insertInto('user_capabilities')
        .values({ user_id: stranger.user.id, resource_type: 'server', resource_id: serverId, name, value })
        .execute(),
    )
  await grant('server.manage.read', 'true')
  const reader = openConsole(stranger)
  await until(() => reader.frames.find((frame) => frame.type === 'status'))
  expect((await reader.type('say no')).error).toBe('insufficient_capabilities')
  await inTransaction(api.context.db, (trx) =>
    trx
      .deleteFrom('user_capabilities')
      .where('user_id', '=', stranger.user.id)
      .where('resource_id', '=', serverId)
      .execute(),
  )
  expect(await reader.closed).toBe(4403)

  await grant('server.manage', 'true')
  const manager = openConsole(stranger)
  await until(() => manager.frames.find((frame) => frame.type === 'status'))
  await stranger.call(users.logout, {})
  expect(await manager.closed).toBe(4401)
})

test('a flood of commands or of sockets is stopped, for this user only', async () => {
  const console = openConsole(owner)
  await until(() => console.frames.find((frame) => frame.type === 'status'))
  const results = await Promise.all(Array.from({ length: 60 }, () => console.type('list')))
  expect(results.filter(({ error }) => error === null).length).toBeGreaterThanOrEqual(20)
  expect(results.some(({ error }) => error === 'too_many_requests')).toBe(true)
  const many = Array.from({ length: 30 }, () => openConsole(owner))
  const isServed = (one: (typeof many)[0]) =>
    until(() => one.frames.find((frame) => frame.type === 'status')).then(() => 'served')
  const outcomes = await Promise.all(
    many.map((one) => Promise.race([one.closed, isServed(one).catch(() => 'neither')])),
  )
  expect(outcomes.filter((outcome) => outcome === 1013).length).toBeGreaterThan(0)
  expect(outcomes.filter((outcome) => outcome === 'served').length).toBeGreaterThan(10)
  const bad = openConsole(await api.signUp({ admin: true }))
  await until(() => bad.frames.find((frame) => frame.type === 'status'))
  bad.socket.send('{"type":"nonsense"}')
  expect(await bad.closed).toBe(1008)
})

async function followRoutes(token = api.context.secrets.gateway) {
  const abort = new AbortController()
  ends.push(() => abort.abort())
  const response = await fetch(`${api.origin}/internal/gateway/routes`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const messages: RouteMessage[] = []
  const read = async () => {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) messages.push(routeMessageSchema.parse(JSON.parse(line)))
    }
  }
  if (response.status === 200) void read().catch(() => undefined)
  else await response.body?.cancel()
  return { status: response.status, messages }
}

test.runIf(isLong)(
  'gateways learn routes: a snapshot, then each change; nobody else does',
  async () => {
    expect((await followRoutes('wrong')).status).toBe(401)
    const { messages } = await followRoutes()
    const snapshot = await until(() => messages.find(({ type }) => type === 'snapshot'))
    const known = snapshot.type === 'snapshot' ? snapshot.routes.find((route) => route.host === host) : undefined
    expect(known).toMatchObject({
      serverId,
      serverName: 'Łąka',
      state: 'running',
      backend: { host: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) },
      maxPlayers: 20,
      language: 'en',
    })
    const states = () =>
      messages.flatMap((message) =>
        message.type === 'set' && message.route.host === host ? [message.route.state] : [],
      )

    await owner.call(routes.stopServer, { params: { id: serverId } })
    await until(() => states().at(-1) === 'stopped' || undefined)
    expect(states()).toContain('stopping')
    await owner.call(routes.startServer, { params: { id: serverId } })
    await until(() => states().at(-1) === 'running' || undefined)
    expect(states()).toContain('starting')
    await inTransaction(api.context.db, (trx) =>
      trx.updateTable('services').set({ expires: new Date() }).where('owner_id', '=', owner.user.id).execute(),
    )
    await until(() => states().at(-1) === 'expired' || undefined)
    expect(
      await owner
        .call(routes.startServer, { params: { id: serverId } })
        .catch((error: { body: { error: string } }) => error.body.error),
    ).toBe('server_is_expired')
    await untilStatus(owner, serverId, isDown) // and the game is stopped
    await inTransaction(api.context.db, (trx) =>
      trx.updateTable('services').set({ expires: null }).where('owner_id', '=', owner.user.id).execute(),
    )
    await untilStatus(owner, serverId, isUp) // an end that never comes is no end
  },
  60_000,
)

test.runIf(isLong)(
  'a stop from inside the game stays a stop',
  async () => {
    await untilStatus(owner, serverId, isUp)
    const console = openConsole(owner)
    await until(() => console.frames.find((frame) => frame.type === 'status'))
    expect((await console.type('stop')).error).toBeNull()
    await untilStatus(owner, serverId, isDown)
    const { data } = await owner.call(routes.listServerEvents, {
      params: { id: serverId },
      query: { limit: 1, action: 'GAME_STOPPED' },
    })
    expect(data).toHaveLength(1)
    expect((await console.type('list')).error).toBe('server_is_not_running')
    expect(console.lines().length).toBeGreaterThan(0)
    const { rows } = await api.context.database.pool.query('select want_running, crashed from servers where id = $1', [
      serverId,
    ])
    expect(rows).toEqual([{ want_running: false, crashed: false }]) // so nobody starts it again
    await owner.call(routes.startServer, { params: { id: serverId } })
    await untilStatus(owner, serverId, isUp)
  },
  60_000,
)
