/** Placing, finding, losing and ending supervisors, with real sandboxes. */
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serverPaths } from './paths.ts'
import { findByArgument, findFirstChild, isNamespaceInit, readCommandLine, readStartTime } from './processes.ts'
import { withLock } from './lock.ts'
import { openSandboxBench, repoRoot, type SandboxBench } from './test-support/sandbox-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

const hostFile = (serverId: string, name: string) => join(serverPaths(bench.dataDir, serverId).host, name)
const readPlacement = (serverId: string) => JSON.parse(readFileSync(hostFile(serverId, 'placement.json'), 'utf8'))
const readInit = (serverId: string): number =>
  JSON.parse(readFileSync(hostFile(serverId, 'info.json'), 'utf8'))['child-pid']
const countInits = (serverId: string) => findByArgument(readPlacement(serverId).marker).filter(isNamespaceInit).length

/** A server with the script game running. */
async function placeRunning() {
  const server = await bench.placeNew()
  await server.client.install(await bench.gamePlan())
  await bench.reach(server.client, ['stopped'])
  await server.client.start()
  const status = await bench.reach(server.client, ['running'])
  return { ...server, status }
}

test('one placement per server, however many place it at once', async () => {
  const serverId = randomUUID()
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'absent' })
  const clusters = [bench.cluster, bench.openCluster(), bench.openCluster()]
  const placed = await Promise.all(clusters.map((cluster) => cluster.place({ serverId, limits: bench.limits })))
  expect(new Set(placed.map((placement) => JSON.stringify(placement))).size).toBe(1)
  expect(countInits(serverId)).toBe(1)
  const init = readInit(serverId)
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(readInit(serverId)).toBe(init)
  expect(await bench.openCluster().inspect(serverId)).toEqual(placed[0])
  await bench.cluster.remove(serverId)
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'absent' })
  expect(readCommandLine(init)).not.toContain('bwrap')
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
    lastExit: { signal: 'SIGKILL', expected: false },
  })
  for await (const event of client.events(status.lastEventSeq)) {
    expect(event).toMatchObject({ type: 'crashed', seq: status.lastEventSeq + 1, tooManyTimes: false })
    if (event.type === 'crashed') expect(event.lastLines.some((line) => line.startsWith('listening on'))).toBe(true)
    break
  }
  await client.start()
  await bench.reach(client, ['running'])
})

test('a game outlives whoever placed it', async () => {
  const serverId = randomUUID()
  const script = `
    import { createProcessCluster } from ${JSON.stringify(join(import.meta.dirname, 'process-cluster.ts'))}
    const cluster = createProcessCluster({
      dataDir: ${JSON.stringify(bench.dataDir)}, repoRoot: ${JSON.stringify(repoRoot)}, nodePath: process.execPath,
      bwrapPath: 'bwrap', allowUnsandboxed: false, publicKey: ${JSON.stringify(bench.publicKey)},
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

test('a number that another process has got is not taken for the supervisor', async () => {
  const { serverId } = await bench.placeNew()
  process.kill(readInit(serverId), 'SIGKILL')
  await vi.waitFor(async () => expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' }), 10_000)
  writeFileSync(hostFile(serverId, 'info.json'), JSON.stringify({ 'child-pid': process.pid }))
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' })
  await bench.cluster.remove(serverId)
  expect(process.pid).toBeGreaterThan(0)
})

test('a sandbox whose placing was cut short is found, and not doubled', async () => {
  const { serverId } = await bench.placeNew()
  writeFileSync(hostFile(serverId, 'info.json'), '')
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

test('the drain stops every game cleanly', async () => {
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

test('a stop by signal kills what does not end in time', async () => {
  const { serverId, client } = await placeRunning()
  await client.command('deaf')
  const others = (await bench.cluster.list()).filter((id) => id !== serverId)
  await Promise.all(others.map((id) => bench.cluster.remove(id)))
  await bench.cluster.stopAll({ timeoutSeconds: 1 })
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'exited' })
})

test('a supervisor ends when its volume is deleted', async () => {
  const { serverId } = await placeRunning()
  const init = readInit(serverId)
  rmSync(serverPaths(bench.dataDir, serverId).volume, { recursive: true, force: true })
  await vi.waitFor(() => expect(readCommandLine(init)).not.toContain('bwrap'), 30_000)
  await bench.cluster.remove(serverId)
})

test('removal keeps the volume unless told otherwise', async () => {
  const { serverId } = await bench.placeNew()
  const { volume, home } = serverPaths(bench.dataDir, serverId)
  writeFileSync(join(volume, 'world'), 'world')
  await bench.cluster.remove(serverId)
  expect(existsSync(join(volume, 'world'))).toBe(true)
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

test('without a sandbox, when that is allowed', async () => {
  const cluster = bench.openCluster({ bwrapPath: '/nowhere/bwrap', allowUnsandboxed: true })
  expect(await cluster.check()).toMatchObject({ ok: true })
  const serverId = randomUUID()
  const { endpoint } = await cluster.place({ serverId, limits: bench.limits })
  const client = bench.connect(serverId, endpoint)
  await client.install(await bench.gamePlan())
  await bench.reach(client, ['stopped'])
  await client.start()
  const { gamePort } = await bench.reach(client, ['running'])
  expect(await cluster.inspect(serverId)).toEqual({ state: 'running', endpoint })
  await cluster.remove(serverId)
  expect(await cluster.inspect(serverId)).toEqual({ state: 'absent' })
  await vi.waitFor(() => expect(findByArgument(String(gamePort))).toEqual([]), 15_000)
})

test('ids that are no UUIDs never become paths', async () => {
  await expect(bench.cluster.inspect('../../etc')).rejects.toThrow('not a UUID')
})
