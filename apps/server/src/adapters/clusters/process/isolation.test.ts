/** A customer's script inside a sandbox tries to read or change what is not its own. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSecrets } from '@wakestone/kit/secrets'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../../../../../tests/support/database.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { findGame } from './ending.ts'
import { serverPaths } from './paths.ts'
import { findSandbox } from './placement.ts'
import { findFirstChild, kill } from './processes.ts'
import { findProcessor, refusedCalls } from './seccomp.ts'
import { openSandboxBench, repoRoot, type SandboxBench } from './test-support/sandbox-bench.ts'
import { walls } from './walls.ts'

const isRoot = process.getuid?.() === 0

vi.setConfig({ testTimeout: 90_000 })
let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

test('a script finds nothing but its own', async () => {
  const { dataDir } = bench
  loadSecrets(dataDir)
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18')
  const hostSocket = join(dataDir, 'host.sock')
  const listener = createServer().listen(hostSocket)
  const beside = await bench.placeNew()
  const own = await bench.placeNew()
  const other = join(dataDir, 'servers', beside.serverId)
  writeFileSync(join(bench.volumeOf(beside.serverId), 'secret-of-another'), 'secret')

  await using database = await createTestDatabase()
  const databaseFolder = new URLSearchParams(database.url.split('?')[1]).get('host') as string
  const databaseSocket = join(databaseFolder, '.s.PGSQL.5432')
  expect(existsSync(databaseSocket)).toBe(true)

  const targets = {
    refused: refusedCalls(findProcessor() ?? 'x64'),
    twoUsers: isRoot,
    paths: [
      dataDir,
      join(dataDir, 'secrets.json'),
      databaseFolder,
      join(dataDir, 'postgres/PG_VERSION'),
      other,
      join(other, 'volume'),
      join(other, 'volume.img'),
      join(dataDir, 'servers', own.serverId, 'host/placement.json'),
      join(repoRoot, '.git'),
      join(repoRoot, 'package.json'),
      homedir(),
      tmpdir() === '/tmp' ? dataDir : tmpdir(),
    ],
    sockets: [
      databaseSocket,
      hostSocket,
      (beside.endpoint as { path: string }).path,
      '/var/run/docker.sock',
      '/run/dbus/system_bus_socket',
    ],
  }
  writeFileSync(join(bench.volumeOf(own.serverId), 'targets.json'), JSON.stringify(targets))
  await own.client.install(
    await bench.scriptPlan('apps/server/src/adapters/clusters/process/test-support/malicious-game.ts'),
  )
  await bench.reach(own.client, ['stopped'])
  const lines: string[] = []
  const stream = await own.client.openStream()
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  await own.client.start()
  await vi.waitFor(() => expect(lines).toContain('done'), 30_000)
  stream.close()
  listener.close()

  const attempts = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { attempt: string; got: unknown })
  expect(attempts.length).toBeGreaterThan(100)
  expect(attempts.filter(({ got }) => got !== null)).toEqual([])
  expect(readdirSync(bench.volumeOf(beside.serverId)).sort()).toEqual(['.wakestone', 'secret-of-another'])
})

test.runIf(isLong && existsSync('/usr/bin/java'))('Java runs within what it may ask the kernel for', async () => {
  const { client } = await bench.placeNew()
  const script = `
    import { spawnSync } from 'node:child_process'
    const { status } = spawnSync('/usr/bin/java', ['-Xmx64m', '-Xshare:auto', '-version'], { stdio: 'inherit' })
    console.log('java ended with', status)
    setInterval(() => {}, 1e6)`
  await client.install(await bench.packScript(script))
  await bench.reach(client, ['stopped'])
  const lines: string[] = []
  const stream = await client.openStream()
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  await client.start()
  await vi.waitFor(() => expect(lines).toContain('java ended with 0'), 30_000)
  stream.close()
})

test.runIf(isLong)('a link in place of the socket leads the control plane nowhere', async () => {
  const { serverId, endpoint, client } = await bench.placeNew()
  const { path } = endpoint as { path: string }
  // As a game could do that is the same user as its supervisor.
  rmSync(path)
  symlinkSync(join(bench.dataDir, 'elsewhere'), path)
  await expect(client.status()).rejects.toThrow('no socket')
  await bench.cluster.remove(serverId)
  expect(await bench.cluster.inspect(serverId)).toEqual({ state: 'absent' })
})

test.runIf(isLong && isRoot)(
  'limits of memory are the kernel’s, and a death by them is told',
  { timeout: 60_000 },
  async () => {
    const { client, serverId } = await bench.placeNew()
    const config = join(bench.dataDir, 'servers', serverId, 'host/config.json')
    const { cgroup } = JSON.parse(readFileSync(config, 'utf8'))
    if (cgroup === null) return // no cgroups to write to on this machine
    const script = `const kept = []; setInterval(() => kept.push(Buffer.alloc(64 * 1024 ** 2, 1)), 10)`
    await client.install(await bench.packScript(script))
    await bench.reach(client, ['stopped'])
    await client.start()
    await bench.reach(client, ['restarting'])
    for await (const event of client.events(0)) {
      if (event.type !== 'crashed') continue
      expect(event).toMatchObject({ exit: { signal: 'SIGKILL', expected: false }, reasons: ['killed_for_memory'] })
      break
    }
    expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'running' })
  },
)

test.runIf(isLong && isRoot)('a game has a cgroup beside its supervisor’s, and cannot leave it', async (context) => {
  const { client, serverId } = await bench.placeNew()
  const config = join(bench.dataDir, 'servers', serverId, 'host/config.json')
  if (JSON.parse(readFileSync(config, 'utf8')).cgroup === null) return context.skip()
  await client.install(await bench.packScript(`setInterval(() => {}, 1e6)`))
  await bench.reach(client, ['stopped'])
  await client.start()
  await bench.reach(client, ['starting', 'running'])
  const paths = serverPaths(bench.dataDir, serverId)
  const cgroupsOf = (pid: number) => readFileSync(`/proc/${pid}/cgroup`, 'utf8')
  const end = (one: string) => new RegExp(`^\\d+:(?:.*\\bmemory\\b.*)?:/.*${serverId}/${one}$`, 'm')
  const init = findSandbox(paths)?.init?.pid as number
  await vi.waitFor(() => expect(findGame(paths, serverId)).toHaveLength(1), 10_000)
  const [game] = findGame(paths, serverId) as [number]
  await vi.waitFor(() => expect(cgroupsOf(game)).toMatch(end('game')), 5_000)
  expect(cgroupsOf(init)).toMatch(end('supervisor'))
  expect(cgroupsOf(findFirstChild(init) as number)).toMatch(end('supervisor'))
  // Should the machine itself run out of memory, both go before what is the product's own.
  expect(readFileSync(`/proc/${game}/oom_score_adj`, 'utf8').trim()).toBe('500')
  // The way in is not left open to it.
  expect(
    readdirSync(`/proc/${game}/fd`)
      .map((fd) => readlinkOrNone(`/proc/${game}/fd/${fd}`))
      .join(),
  ).not.toContain('cgroup')
})

test.runIf(isRoot && isLong)(
  'a server that can have no limits is not placed, unless it may do without',
  async (context) => {
    const { serverId } = await bench.placeNew()
    const config = join(bench.dataDir, 'servers', serverId, 'host/config.json')
    if (JSON.parse(readFileSync(config, 'utf8')).cgroup === null) return context.skip()
    await bench.cluster.remove(serverId)
    const limits = { ...bench.limits, memoryBytes: 1e30 } // which no kernel takes
    const mayMiss = walls.filter((wall) => wall !== 'memory')
    await expect(bench.openCluster({ mayMiss }).place({ serverId, limits })).rejects.toThrow(
      `no limits can be set for ${serverId}: `,
    )
    expect(await bench.cluster.place({ serverId, limits })).toMatchObject({ state: 'running' })
  },
)

function readlinkOrNone(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const hasSwap = readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1
test.runIf(isLong)('a frozen game gives its memory back where there is swap, and goes on with it', async () => {
  const { client, serverId } = await bench.placeNew()
  const script = `
    const kept = Buffer.alloc(32 * 1024 ** 2, 7)
    setInterval(() => console.log('kept', kept.every((byte) => byte === 7)), 500)`
  await client.install(await bench.packScript(script))
  await bench.reach(client, ['stopped'])
  await client.start()
  const pids = await bench.reach(client, ['starting', 'running']).then(() => freeze(serverId))
  onTestFinished(() => pids.forEach((pid) => kill(pid, 'SIGCONT')))
  const given = await bench.cluster.giveBackMemory(serverId)
  if (hasSwap && isRoot) expect(given).toBeGreaterThan(0)
  else expect(given).toBeNull()
  const lines: string[] = []
  const stream = await client.openStream()
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  for (const pid of pids) kill(pid, 'SIGCONT')
  await vi.waitFor(() => expect(lines.filter((line) => line === 'kept true').length).toBeGreaterThan(1), 15_000)
  stream.close()
})

/** Halts the game's processes from outside. */
function freeze(serverId: string): number[] {
  const pids = findGame(serverPaths(bench.dataDir, serverId), serverId)
  for (const pid of pids) kill(pid, 'SIGSTOP')
  return pids
}
