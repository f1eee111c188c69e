/** The protocol between control plane and supervisor, over a real sandbox: tokens, console, events. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { ConsoleLine, ServerStats } from '@wakestone/protocol/supervisor'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { isLong } from '../../../../../tests/support/long.ts'
import { openSandboxBench, type SandboxBench } from '../clusters/process/test-support/sandbox-bench.ts'
import type { SupervisorClient } from './client.ts'
import type { SupervisorStream } from './stream.ts'
import { createSupervisorSigner } from './tokens.ts'

vi.setConfig({ testTimeout: 60_000 })

let bench: SandboxBench
let server: Awaited<ReturnType<SandboxBench['placeNew']>>
let client: SupervisorClient
let socketPath: string

beforeAll(async () => {
  bench = await openSandboxBench()
  server = await bench.placeNew()
  client = server.client
  socketPath = (server.endpoint as { path: string }).path
  await client.install(await bench.gamePlan())
  await bench.reach(client, ['stopped'])
  await client.start()
  await bench.reach(client, ['running'])
})
afterAll(() => bench.close())

function ask(method: string, path: string, authorization?: string, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...(authorization !== undefined && { authorization }), 'content-length': Buffer.byteLength(body) }
    const sent = request({ socketPath, method, path, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode as number)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Of processes of this machine with this command line, one letter each. */
function statesOf(commandLine: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== commandLine) return []
      return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? []
    } catch {
      return []
    }
  })
}

function watch(stream: SupervisorStream) {
  const lines: ConsoleLine[] = []
  const stats: ServerStats[] = []
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines)
    if (message.type === 'stats') stats.push(message.stats)
  })
  return { lines, stats }
}

test('only the right token opens', async () => {
  const { serverId } = server
  const control = bench.sign({ serverId, purpose: 'control' })
  const strangers = generateKeyPairSync('ed25519')
  const foreign = createSupervisorSigner(strangers.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string)
  const forge = (claims: object, alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ aud: 'supervisor', purpose: 'control', server: serverId, ...claims })
      .setProtectedHeader({ alg })
      .setExpirationTime('1m')
      .sign(key)
  const [header, payload, signature] = control.split('.') as [string, string, string]
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const late = Buffer.from(
    JSON.stringify({ aud: 'supervisor', purpose: 'control', server: serverId, exp: 4e9 }),
  ).toString('base64url')

  expect(await ask('GET', '/v1/status', `Bearer ${control}`)).toBe(200)
  const bad: [string | undefined, number][] = [
    [undefined, 401],
    ['', 401],
    [control, 401],
    ['Bearer x', 401],
    [`Bearer ${header}.${payload}.`, 401],
    [`Bearer ${none}.${payload}.${signature}`, 401],
    [`Bearer ${header}.${late}.${signature}`, 401],
    [`Bearer ${foreign({ serverId, purpose: 'control' })}`, 401],
    [`Bearer ${bench.sign({ serverId: randomUUID(), purpose: 'control' })}`, 401],
    // The public key is known to the game: it must not do as the secret of a symmetric signature.
    [`Bearer ${await forge({}, 'HS256', Buffer.from(bench.publicKey))}`, 401],
    [`Bearer ${bench.sign({ serverId, purpose: 'console' })}`, 403],
  ]
  for (const [authorization, status] of bad) {
    expect([authorization, await ask('GET', '/v1/status', authorization)]).toEqual([authorization, status])
    expect([authorization, await ask('POST', '/v1/kill', authorization)]).toEqual([authorization, status])
  }
  const expired = await new SignJWT({ aud: 'supervisor', purpose: 'control', server: serverId })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime(1)
    .sign(bench.privateKey)
  expect(await ask('GET', '/v1/status', `Bearer ${expired}`)).toBe(401)
  const audience = await new SignJWT({ aud: 'session', purpose: 'control', server: serverId })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime('1m')
    .sign(bench.privateKey)
  expect(await ask('GET', '/v1/status', `Bearer ${audience}`)).toBe(401)
  const socket = new WebSocket(`ws+unix://${socketPath}:/v1/stream`, {
    headers: { authorization: `Bearer ${foreign({ serverId, purpose: 'console' })}` },
  })
  await expect(new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))).rejects.toThrow('401')
  expect((await client.status()).phase).toBe('running')
})

test('a game freezes and thaws with all that it has started, and a ticket does no more than thaw it', async () => {
  const { serverId } = server
  const ticket = `Bearer ${bench.sign({ serverId, purpose: 'thaw' })}`
  // One that has left its parent, its group and its session is the game's all the same.
  const seconds = `${1_000_000 + Math.floor(Math.random() * 1_000_000)}`
  await client.command(`orphan ${seconds}`)
  await vi.waitFor(() => expect(statesOf(`sleep\0${seconds}\0`)).toEqual(['S']), 10_000)
  expect(await client.freeze()).toMatchObject({ phase: 'running', awake: [], emptySince: expect.any(String) })
  expect(await bench.reach(client, ['frozen'])).toMatchObject({ emptySince: expect.any(String) })
  for (const [method, path] of [
    ['GET', '/v1/status'],
    ['POST', '/v1/freeze'],
    ['POST', '/v1/kill'],
    ['GET', '/v1/events'],
  ] as const)
    expect([path, await ask(method, path, ticket)]).toEqual([path, 403])
  const socket = new WebSocket(`ws+unix://${socketPath}:/v1/stream`, { headers: { authorization: ticket } })
  await expect(new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))).rejects.toThrow('403')
  expect((await client.status()).phase).toBe('frozen')
  expect(statesOf(`sleep\0${seconds}\0`)).toEqual(['T'])
  expect(await ask('POST', '/v1/thaw', ticket)).toBe(200)
  await vi.waitFor(() => expect(statesOf(`sleep\0${seconds}\0`)).toEqual(['S']), 10_000)
  expect((await client.status()).phase).toBe('running')
  expect((await client.thaw()).phase).toBe('running')
  const { exp } = JSON.parse(Buffer.from(ticket.split('.')[1]!, 'base64url').toString()) as { exp: number }
  expect(exp - Date.now() / 1000).toBeGreaterThan(6 * 24 * 3600)
  // Who knows nothing of it finds a game that runs.
  await client.freeze()
  await bench.reach(client, ['frozen'])
  const control = `Bearer ${bench.sign({ serverId, purpose: 'control' })}`
  expect(await ask('GET', '/v1/status', control)).toBe(200)
  expect((await client.status()).phase).toBe('running')
})

test('snapshots and files of another user, over the wire', async () => {
  const { serverId } = server
  const control = `Bearer ${bench.sign({ serverId, purpose: 'control' })}`
  expect(await client.readFile('ops.json')).toBeUndefined()
  await client.writeFile('ops.json', '["ö"]')
  expect(await client.readFile('ops.json')).toBe('["ö"]')
  await expect(client.snapshot('one')).rejects.toMatchObject({ fault: 'refused', status: 409 })
  for (const [method, path, body] of [
    ['POST', '/v1/snapshot', '{"id":"../x"}'],
    ['POST', '/v1/format', '{"keep":["../x"]}'],
    ['POST', '/v1/format', '{"keep":["a//b"]}'],
    ['PUT', '/v1/file?path=ops.json', '{"text":7}'],
  ] as const)
    expect([path, body, await ask(method, path, control, body)]).toEqual([path, body, 400])
  expect(await ask('GET', '/v1/file?path=../run/config.json', control)).toBe(404)
  await client.stop(10)
  await bench.reach(client, ['stopped'])
  await Promise.all([client.snapshot('one'), client.snapshot('one')])
  await expect(client.restoreSnapshot('two')).rejects.toMatchObject({ fault: 'refused', status: 409 })
  await client.format([])
  expect(await client.readFile('ops.json')).toBeUndefined()
  await client.restoreSnapshot('one')
  expect(await client.readFile('ops.json')).toBe('["ö"]')
  expect((await client.status()).snapshots).toMatchObject([{ id: 'one' }])
  await client.deleteSnapshot('one')
  expect((await client.status()).snapshots).toEqual([])
  await client.start()
  await bench.reach(client, ['running'])
})

test('bad requests get their status and change nothing', async () => {
  const authorization = `Bearer ${bench.sign({ serverId: server.serverId, purpose: 'control' })}`
  const table: [string, string, string, number][] = [
    ['GET', '/v1/nothing', '', 404],
    ['POST', '/v1/status', '', 404],
    ['POST', '/v1/install', '{"plan":7}', 400],
    ['POST', '/v1/install', 'no json', 400],
    ['POST', '/v1/install', '[]', 400],
    ['POST', '/v1/stop', '{"timeoutSeconds":-1}', 400],
    ['POST', '/v1/stop', '{"timeoutSeconds":"1"}', 400],
    ['POST', '/v1/stop', 'null', 400],
    ['POST', '/v1/command', '{"command":"a\\nstop"}', 400],
    ['POST', '/v1/command', '{"command":""}', 400],
    ['POST', '/v1/command', `{"command":"${'x'.repeat(70_000)}"}`, 413],
    ['GET', '/v1/events?after=x', '', 400],
    ['GET', '/v1/events?after=999999', '', 409],
    ['POST', '/v1/events/ack', '{"seq":-1}', 400],
  ]
  for (const [method, path, body, status] of table) {
    expect([path, body, await ask(method, path, authorization, body)]).toEqual([path, body, status])
  }
  expect((await client.status()).phase).toBe('running')
  const plan = await bench.packScript('1')
  await expect(client.install(plan)).rejects.toMatchObject({ status: 409 })
})

test('5 000 lines a second reach several listeners without loss', async () => {
  const streams = await Promise.all([client.openStream(), client.openStream(), client.openStream()])
  const watched = streams.map(watch)
  await client.command('flood 15000 5000')
  for (const { lines } of watched) {
    await vi.waitFor(() => expect(lines.at(-1)?.text).toMatch(/^line 14999 /), 30_000)
    const flood = lines.filter(({ text }) => text.startsWith('line '))
    expect(flood.map(({ text }) => text.split(' ')[1])).toEqual(
      Array.from({ length: 15_000 }, (_, index) => String(index)),
    )
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, index) => (lines[0] as ConsoleLine).seq + index))
  }
  for (const stream of streams) stream.close()
  // A listener that comes back goes on where it was.
  const last = watched[0]!.lines.at(-1)!.seq
  const again = await client.openStream(last - 5)
  const { lines } = watch(again)
  await vi.waitFor(
    () => expect(lines.map(({ seq }) => seq)).toEqual([last - 4, last - 3, last - 2, last - 1, last]),
    15_000,
  )
  again.close()
})

test.runIf(isLong)('a listener that reads nothing is cut off; others are not held up', async () => {
  const authorization = `Bearer ${bench.sign({ serverId: server.serverId, purpose: 'console' })}`
  const slow = new WebSocket(`ws+unix://${socketPath}:/v1/stream`, { headers: { authorization } })
  await new Promise((done) => slow.on('open', done))
  slow.pause()
  const stream = await client.openStream()
  const { lines } = watch(stream)
  const closed = new Promise((done) => slow.on('close', done))
  await client.command('flood 7000 1000 2000')
  await vi.waitFor(() => expect(lines.at(-1)?.text).toMatch(/^line 6999 /), 40_000)
  slow.resume()
  await closed
  stream.close()
  expect(lines.filter(({ text }) => text.endsWith('xxx'))).toHaveLength(7000)
})

test('statistics come each second while somebody listens', async () => {
  const stream = await client.openStream()
  const { stats } = watch(stream)
  // Bytes of a connection are counted while it is open.
  const player = connect(server.game)
  onTestFinished(() => void player.destroy())
  const playing = setInterval(() => player.write(Buffer.alloc(10_000)), 50)
  onTestFinished(() => clearInterval(playing))
  const hasSs = existsSync('/usr/bin/ss') || existsSync('/usr/sbin/ss')
  await vi.waitFor(() => {
    expect(stats.length).toBeGreaterThanOrEqual(3)
    expect(stats.some(({ networkIn }) => networkIn > 10_000)).toBe(hasSs)
  }, 20_000)
  stream.close()
  const last = stats.at(-1)!
  expect(last).toMatchObject({ cpuLimit: 1, memoryLimit: bench.limits.memoryBytes, playersMax: 7, tickMs: null })
  expect(last.memory).toBeGreaterThan(20e6)
  expect(last.memory).toBeLessThan(500e6)
  expect(last.disk).toBeGreaterThan(1000)
})

test('events: spooled first, then live; forgotten when acknowledged; console as it was while stopped', async () => {
  const seen: { seq: number; type: string }[] = []
  const abort = new AbortController()
  const reading = (async () => {
    for await (const event of client.events(0, abort.signal)) seen.push(event)
  })()
  await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(5), 15_000)
  await client.stop(10)
  await bench.reach(client, ['stopped'])
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ type: 'phase', status: { phase: 'stopped' } }), 15_000)
  abort.abort()
  await reading
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_event, index) => index + 1))
  await client.acknowledge(seen.length - 1)
  for await (const event of client.events(0)) {
    expect(event.seq).toBe(seen.length)
    break
  }
  const stream = await client.openStream()
  const { lines } = watch(stream)
  await vi.waitFor(() => expect(lines.at(-1)?.text).toBe('The game has ended (code 0).'), 15_000)
  expect(lines).toHaveLength(1000)
  stream.close()
  await expect(client.command('hello')).rejects.toMatchObject({ status: 409 })
})
