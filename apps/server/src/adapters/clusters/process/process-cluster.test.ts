/** Placing, finding, losing and ending supervisors, with real sandboxes. */
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { supervisorFile } from '../fleet.ts'
import { runtimeRoot, serverPaths } from './paths.ts'
import { findSandbox } from './placement.ts'
import { findFirstChild, isAlive, isNamespaceInit, readStartTime } from './processes.ts'
import { withLock } from './lock.ts'
import { openSandboxBench, repoRoot, type SandboxBench } from './test-support/sandbox-bench.ts'
import { isLong } from '../../../../../../tests/support/long.ts'

vi.setConfig({ testTimeout: 60_000 })

let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

const hostFile = (serverId: string, name: string) => join(serverPaths(bench.dataDir, serverId).host, name)
const initOf = (serverId: string) => {
  const init = findSandbox(serverPaths(bench.dataDir, serverId))?.init
  if (init === undefined) throw new Error('no sandbox')
  return init
}
const readInit = (serverId: string) => initOf(serverId).pid
/** Sandboxes into which the server's volume is bound, whoever knows of them. */
const countInits = (serverId: string) =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || !isNamespaceInit(Number(name))) return false
    try {
      return readFileSync(`/proc/${name}/mountinfo`, 'utf8').includes(
        `${serverId}/host/config.json /run/wakestone/config.json `,
      )
    } catch {
      return false // ended meanwhile
    }
  }).length

/** A server with the script game running. */
async function placeRunning() {
  const server = await bench.placeNew()
  await server.client.install(await bench.gamePlan())
  await bench.reach(server.client, ['stopped'])
  await server.client.start()
  const status = await bench.reach(server.client, ['running'])
  return { ...server, status }
}

test.runIf(isLong)('one placement per server, however many place it at once', async () => {
  const serverId = randomUUID()
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'absent' })
  const clusters = [bench.cluster, bench.openCluster(), bench.openCluster()]
  const placed = await Promise.all(clusters.map((cluster) => cluster.place({ serverId, limits: bench.limits })))
  expect(new Set(placed.map((placement) => JSON.stringify(placement))).size).toBe(1)
  expect(countInits(serverId)).toBe(1)
  const init = initOf(serverId)
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(initOf(serverId)).toEqual(init)
  expect(await bench.openCluster().inspect(serverId)).toEqual(placed[0])
  await bench.cluster.remove(serverId)
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'absent' })
  expect(isAlive(init)).toBe(false)
})

test('a killed supervisor takes its game along, is seen, placed again, and tells of the crash', async () => {
  const { serverId, client, status } = await placeRunning()
  const supervisor = findFirstChild(readInit(serverId)) as number
  process.kill(supervisor, 'SIGKILL')
  await vi.waitFor(async () => expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' }), 10_000)
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(await client.status()).toMatchObject({
    phase: 'stopped',
    installedPlan: status.installedPlan,
    lastExit: { code: null, signal: null, expected: false }, // nobody has seen how it ended
  })
  for await (const event of client.events(status.lastEventSeq)) {
    if (event.type === 'awake') continue // that nobody was in it may have been told just before
    expect(event).toMatchObject({ type: 'crashed', tooManyTimes: false })
    if (event.type === 'crashed') expect(event.lastLines.some((line) => line.startsWith('listening on'))).toBe(true)
    break
  }
  await client.start()
  await bench.reach(client, ['running'])
})

test.runIf(isLong)('a game outlives whoever placed it', async () => {
  const serverId = randomUUID()
  const script = `
    import { createProcessCluster } from ${JSON.stringify(join(import.meta.dirname, 'process-cluster.ts'))}
    const cluster = createProcessCluster({
      dataDir: ${JSON.stringify(bench.dataDir)}, supervisorFile: ${JSON.stringify(supervisorFile)}, filesFile: '/nowhere', nodePath: process.execPath,
      bwrapPath: 'bwrap', allowUnsandboxed: false, mayMiss: ['network', 'disk', 'memory'],
      network: { internet: true, reachable: [], resolvers: [] }, publicKey: ${JSON.stringify(bench.publicKey)},
      logger: { info() {}, warn() {}, error() {} } })
    await cluster.place({ serverId: ${JSON.stringify(serverId)}, limits: ${JSON.stringify(bench.limits)} })
    console.log('placed')
    setInterval(() => {}, 1e6)`
  const worker = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { cwd: repoRoot })
  onTestFinished(() => void worker.kill('SIGKILL'))
  await new Promise((done) => worker.stdout.once('data', done))
  const gone = new Promise((done) => worker.once('exit', done))
  worker.kill('SIGKILL')
  await gone
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'running' })
})

test.runIf(isLong)('a number that another process has got is not taken for the supervisor', async () => {
  const { serverId } = await bench.placeNew()
  process.kill(readInit(serverId), 'SIGKILL')
  await vi.waitFor(async () => expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' }), 10_000)
  const record = JSON.parse(readFileSync(hostFile(serverId, 'placement.json'), 'utf8'))
  const other = { pid: process.pid, startTime: `${Number(readStartTime(process.pid)) - 1}` }
  writeFileSync(
    hostFile(serverId, 'placement.json'),
    JSON.stringify({ ...record, outer: other, init: { ...other, namespace: 1 } }),
  )
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' })
  await bench.cluster.remove(serverId)
  expect(process.pid).toBeGreaterThan(0)
})

test.runIf(isLong)('a sandbox whose placing was cut short is found, and not doubled', async () => {
  const { serverId } = await bench.placeNew()
  const { init, ...record } = JSON.parse(readFileSync(hostFile(serverId, 'placement.json'), 'utf8'))
  writeFileSync(hostFile(serverId, 'placement.json'), JSON.stringify(record))
  writeFileSync(hostFile(serverId, 'info.json'), '')
  expect(initOf(serverId)).toEqual(init)
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'running' })
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(countInits(serverId)).toBe(1)
})

test('the lock of a dead process is no lock, that of a living one is', async () => {
  const folder = join(bench.dataDir, 'locks')
  mkdirSync(folder)
  const path = join(folder, 'lock')
  writeFileSync(path, `${process.pid} 1`) // our number, of a process long gone
  expect(await withLock(path, async () => existsSync(path))).toBe(true)
  writeFileSync(path, `${process.pid} ${readStartTime(process.pid)}`)
  let held = true
  const next = withLock(path, async () => held)
  held = false
  rmSync(path)
  expect(await next).toBe(false)
  let inside = 0
  const crowd = Array.from({ length: 20 }, () =>
    withLock(path, async () => {
      expect(++inside).toBe(1)
      await new Promise((done) => setImmediate(done))
      inside--
    }),
  )
  await Promise.all(crowd)
  expect(readdirSync(folder)).toEqual([])
})

test.runIf(isLong)('the drain stops every game cleanly', async () => {
  const servers = [await placeRunning(), await placeRunning()]
  const env = { ...process.env, DATA_DIR: bench.dataDir, LOG_LEVEL: 'error' }
  const drain = join(repoRoot, 'apps/server/src/drain.ts')
  await promisify(execFile)(process.execPath, ['--no-warnings', drain], { env })
  for (const { serverId, client } of servers) {
    expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' })
    await bench.cluster.place({ serverId, limits: bench.limits })
    expect(await client.status()).toMatchObject({ phase: 'stopped', lastExit: { code: 0, expected: true } })
  }
})

test.runIf(isLong)('a stop by signal kills what does not end in time', async () => {
  const { serverId, client } = await placeRunning()
  await client.command('deaf')
  const others = (await bench.cluster.list()).filter((id) => id !== serverId)
  await Promise.all(others.map((id) => bench.cluster.remove(id)))
  await bench.cluster.stopAll({ timeoutSeconds: 1 })
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'exited', inOrder: false })
  expect(existsSync(runtimeRoot(bench.dataDir))).toBe(false)
})

test.runIf(isLong)('a game listens where its driver says, also once it is placed anew', async () => {
  const { serverId, game, status } = await placeRunning()
  expect(status.gamePort).toBe(game.port)
  await pingServer({ ...game, timeoutMs: 5000 })
  const other = await bench.placeNew()
  expect(other.game.port).not.toBe(game.port)
  await bench.cluster.remove(serverId)
  expect(await bench.cluster.place({ serverId, limits: bench.limits })).toMatchObject({ game })
  expect(await bench.openCluster().inspect(serverId)).toMatchObject({ game })
})

test.runIf(isLong)('a game whose place somebody else has taken meanwhile listens elsewhere', async () => {
  const { serverId, client, game } = await placeRunning()
  const other = await bench.placeNew()
  await bench.cluster.remove(serverId)
  const squatter = createServer().listen(game.port, '127.0.0.1')
  onTestFinished(() => void squatter.close())
  await once(squatter, 'listening')
  const next = await bench.cluster.place({ serverId, limits: bench.limits })
  expect([game.port, other.game.port]).not.toContain(next.game.port)
  await client.start()
  expect(await bench.reach(client, ['running'])).toMatchObject({ gamePort: next.game.port })
})

test.runIf(isLong)(
  'an upgrade of the product leaves supervisors that run the code they were started with',
  async () => {
    const [before, after] = [join(bench.dataDir, 'before.mjs'), join(bench.dataDir, 'after.mjs')]
    const code = readFileSync(supervisorFile, 'utf8')
    for (const [path, version] of [
      [before, '7.0.0'],
      [after, '8.0.0'],
    ] as const) {
      const changed = code.replace(/(version[^"\n]*)"0\.1\.0"/, `$1"${version}"`)
      expect(changed).not.toBe(code)
      writeFileSync(path, changed)
    }
    const [one, other] = [randomUUID(), randomUUID()]
    const { endpoint } = await bench
      .openCluster({ supervisorFile: before })
      .place({ serverId: one, limits: bench.limits })
    rmSync(before)

    const upgraded = bench.openCluster({ supervisorFile: after })
    await upgraded.check()
    await upgraded.place({ serverId: one, limits: bench.limits })
    const client = bench.connect(one, endpoint)
    expect(await client.status()).toMatchObject({ version: '7.0.0' })
    await client.install(await bench.gamePlan()) // by code that is loaded only now
    await bench.reach(client, ['stopped'])
    const stream = await client.openStream()
    stream.close()
    const placed = await upgraded.place({ serverId: other, limits: bench.limits })
    expect(await bench.connect(other, placed.endpoint).status()).toMatchObject({ version: '8.0.0' })

    const kept = () => readdirSync(join(bench.dataDir, 'supervisors')).length
    const withBoth = kept()
    await upgraded.remove(one)
    await bench.openCluster({ supervisorFile: after }).check()
    expect(kept()).toBeLessThan(withBoth)
    expect(await bench.connect(other, placed.endpoint).status()).toMatchObject({ version: '8.0.0' })
  },
)

test.runIf(isLong && process.getuid?.() === 0)(
  'a volume from before becomes that of its two users, links lead nowhere',
  async () => {
    const serverId = randomUUID()
    const { volume } = serverPaths(bench.dataDir, serverId)
    const foreign = join(bench.dataDir, 'foreign')
    mkdirSync(join(volume, 'world'), { recursive: true })
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'file'), 'foreign')
    writeFileSync(join(volume, 'world/level.dat'), 'before', { mode: 0o600 })
    symlinkSync(foreign, join(volume, 'link'))
    const { client } = await bench.placeNew(serverId)
    const script = `
    import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync('/data/world/level.dat', ' and after')
    console.log(readFileSync('/data/world/level.dat', 'utf8'), process.getuid())
    setInterval(() => {}, 1e6)`
    await client.install(await bench.packScript(script))
    await bench.reach(client, ['stopped'])
    await client.start()
    await vi.waitFor(
      () => expect(readFileSync(join(bench.volumeOf(serverId), 'world/level.dat'), 'utf8')).toBe('before and after'),
      15_000,
    )
    const owners = ['.', '.wakestone', 'world', 'link'].map(
      (name) => lstatSync(join(bench.volumeOf(serverId), name)).uid,
    )
    expect(owners[0]).toBe(owners[1])
    expect(owners[2]).toBe(owners[3])
    expect(new Set([0, owners[0], owners[2]]).size).toBe(3)
    expect([foreign, join(foreign, 'file')].map((path) => lstatSync(path).uid)).toEqual([0, 0])
  },
)

test.runIf(isLong)('a supervisor ends when its volume is deleted', async () => {
  const { serverId } = await placeRunning()
  const init = initOf(serverId)
  rmSync(serverPaths(bench.dataDir, serverId).home, { recursive: true, force: true })
  await vi.waitFor(() => expect(isAlive(init)).toBe(false), 30_000)
  await bench.cluster.remove(serverId)
})

test.runIf(isLong)('removal keeps the volume unless told otherwise', async () => {
  const { serverId } = await bench.placeNew()
  const { home } = serverPaths(bench.dataDir, serverId)
  writeFileSync(join(bench.volumeOf(serverId), 'world'), 'world')
  await bench.cluster.remove(serverId)
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(existsSync(join(bench.volumeOf(serverId), 'world'))).toBe(true)
  await bench.cluster.remove(serverId, { volume: 'delete' })
  expect(existsSync(home)).toBe(false)
  await bench.cluster.remove(randomUUID())
})

test('where bubblewrap cannot run nothing is placed, and it is said why', async () => {
  const cluster = bench.openCluster({ bwrapPath: '/bin/false' })
  expect(await cluster.check()).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('bubblewrap cannot run')],
  })
  await expect(cluster.place({ serverId: randomUUID(), limits: bench.limits })).rejects.toThrow('bubblewrap cannot run')
  await expect(bench.openCluster({ bwrapPath: '/nowhere/bwrap' }).check()).resolves.toMatchObject({ ok: false })
})

test.runIf(isLong)('without a sandbox, when that is allowed', async () => {
  const cluster = bench.openCluster({ bwrapPath: '/nowhere/bwrap', allowUnsandboxed: true })
  expect(await cluster.check()).toMatchObject({ ok: true })
  const serverId = randomUUID()
  const { endpoint, game } = await cluster.place({ serverId, limits: bench.limits })
  const client = bench.connect(serverId, endpoint)
  await client.install(await bench.gamePlan())
  await bench.reach(client, ['stopped'])
  await client.start()
  await bench.reach(client, ['running'])
  expect(await cluster.inspect(serverId)).toEqual({ state: 'running', endpoint, game })
  const ping = () => pingServer({ ...game, timeoutMs: 2000 })
  await ping()
  expect(await cluster.gameIsGone(serverId)).toBe(false)
  await client.stop(10)
  await bench.reach(client, ['stopped'])
  expect(await cluster.endGame(serverId)).toBe('gone')
  await client.start()
  await bench.reach(client, ['running'])
  await cluster.remove(serverId)
  expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
  await vi.waitFor(() => expect(ping()).rejects.toThrow('ECONNREFUSED'), 15_000)
})

test('ids that are no UUIDs never become paths', async () => {
  await expect(bench.cluster.inspect('../../etc')).rejects.toThrow('not a UUID')
})
