/** The box of a files service: one volume for it and the supervisor, found and ended by any process, without a trace. */
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Cluster } from '../../cluster.ts'
import { readAllotment, usersOf } from '../allotment.ts'
import { boxPaths, serverPaths } from '../paths.ts'
import { findSandbox } from '../placement.ts'
import { isAlive } from '../processes.ts'
import { ask, loopsOf, runTask, shellTask, tracesOf } from '../test-support/boxes.ts'
import { canMountImages } from '../test-support/machine.ts'
import { openSandboxBench, repoRoot, type SandboxBench } from '../test-support/sandbox-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

const MIB = 1024 ** 2
const isRoot = process.getuid?.() === 0
let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

const pathsOf = (serverId: string) => serverPaths(bench.dataDir, serverId)
const run = (serverId: string, text: string, changes = {}) => runTask(bench.cluster, serverId, shellTask(text, changes))
const openFiles = async (serverId: string, limits = bench.limits, cluster: Cluster = bench.cluster) =>
  ((await cluster.openFiles(serverId, limits)) as { path: string }).path
const filesBox = (serverId: string) => findSandbox(boxPaths(pathsOf(serverId), 'files'))
const traces = (serverId: string) => tracesOf(bench.dataDir, serverId)

test.runIf(canMountImages)('both sandboxes have one file system, and one quota', async () => {
  const limits = { ...bench.limits, diskBytes: 64 * MIB }
  const serverId = randomUUID()
  // A server that sleeps: its files are opened first.
  const opening = [bench.cluster, bench.openCluster(), bench.openCluster()].map((cluster) =>
    openFiles(serverId, limits, cluster),
  )
  const placing = bench.openCluster().place({ serverId, limits })
  const [path, ...same] = (await Promise.all(opening)) as [string, ...string[]]
  await placing
  expect(new Set([path, ...same]).size).toBe(1)
  const { image } = pathsOf(serverId)
  expect(loopsOf(image)).toHaveLength(1)

  const volume = bench.volumeOf(serverId)
  await ask(path, 'echo from the box > /data/one')
  expect(readFileSync(join(volume, 'one'), 'utf8')).toBe('from the box\n')
  const { game } = usersOf(readAllotment(pathsOf(serverId))!)
  expect(statSync(join(volume, 'one'))).toMatchObject({ uid: game, gid: game })
  writeFileSync(join(volume, 'two'), 'from outside of it')
  expect(await ask(path, 'cat /data/two')).toEqual({ out: 'from outside of it' })
  const full = await ask(
    path,
    'head -c 40M /dev/zero > /data/big && head -c 40M /dev/zero > /data/more; wc -c < /data/more',
  )
  expect(Number(full['out'])).toBeLessThan(30 * MIB)
  expect(() => writeFileSync(join(volume, 'last'), Buffer.alloc(8 * MIB))).toThrow('ENOSPC')
  expect(await run(serverId, 'head -c 8M /dev/zero > /data/z')).toMatchObject({ code: 1 })

  // The supervisor goes, as when its server falls asleep: what is written meanwhile goes on.
  await bench.cluster.remove(serverId)
  expect(await ask(path, 'rm /data/big /data/more /data/z; echo on > /data/three')).toEqual({ out: '' })
  await bench.cluster.place({ serverId, limits })
  expect(await openFiles(serverId, limits)).toBe(path)
  expect(readFileSync(join(bench.volumeOf(serverId), 'three'), 'utf8')).toBe('on\n')
  expect(loopsOf(image)).toHaveLength(1)

  // A larger plan: nothing may have it mounted while it is made larger.
  await bench.cluster.remove(serverId)
  const before = filesBox(serverId)!.init!
  await bench.cluster.place({ serverId, limits: { ...limits, diskBytes: 128 * MIB } })
  expect(isAlive(before)).toBe(false)
  expect(traces(serverId)).toEqual([])
  expect(await run(serverId, 'head -c 80M /dev/zero > /data/big')).toMatchObject({ code: 0 })
  await bench.cluster.remove(serverId)
  await promisify(execFile)('/usr/sbin/e2fsck', ['-fn', image])
})

test('the files service outlives its opener, is found by others, and ended by them', async () => {
  const { serverId } = await bench.placeNew()
  const script = `
    import { openSandboxBench } from ${JSON.stringify(join(import.meta.dirname, '../test-support/sandbox-bench.ts'))}
    const bench = await openSandboxBench()
    const cluster = bench.openCluster({ dataDir: ${JSON.stringify(bench.dataDir)} })
    await cluster.openFiles(${JSON.stringify(serverId)}, bench.limits)
    const task = { name: 'try', command: ['/bin/sleep', '600'], volume: 'read', network: 'none', memoryBytes: ${64 * MIB} }
    await cluster.runTask(${JSON.stringify(serverId)}, task)
    console.log('opened')
    setInterval(() => {}, 1e6)`
  const worker = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { cwd: repoRoot })
  onTestFinished(() => void worker.kill('SIGKILL'))
  await once(worker.stdout, 'data')
  const path = await openFiles(serverId)
  const { init } = filesBox(serverId)!
  expect(traces(serverId).filter((name) => name.startsWith('try-')).length).toBeGreaterThan(0)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  expect(await ask(path, 'echo up')).toEqual({ out: 'up\n' })
  expect(filesBox(serverId)!.init).toEqual(init)

  // The task has died with its starter; what is left of it goes when somebody looks.
  await vi.waitFor(async () => {
    await bench.openCluster().check()
    expect(traces(serverId).filter((name) => name.includes('try-'))).toEqual([])
  }, 15_000)
  expect(await ask(path, 'echo up')).toEqual({ out: 'up\n' })
  await bench.openCluster().closeBoxes(serverId)
  expect(isAlive(init!)).toBe(false)
  expect(traces(serverId)).toEqual([])
})

test('a files service that ends by itself leaves nothing, and is opened again', async () => {
  const { serverId } = await bench.placeNew()
  const path = await openFiles(serverId)
  expect(await ask(path, 'config')).toMatchObject({ serverId, volume: '/data', diskBytes: bench.limits.diskBytes })
  await expect(ask(path, 'end')).rejects.toThrow('closed')
  await vi.waitFor(() => expect(traces(serverId)).toEqual([]), 10_000)
  expect(await ask(await openFiles(serverId), 'echo again')).toEqual({ out: 'again\n' })
  // One that hangs about without its socket is not waited for without end.
  expect(await bench.cluster.inspect(serverId)).toMatchObject({ state: 'running' })
  expect(await bench.cluster.gameIsGone(serverId)).toBe(true)
})

test('the drain ends boxes of servers that sleep, too', async () => {
  const serverId = randomUUID()
  await openFiles(serverId)
  const others = (await bench.cluster.list()).filter((id) => id !== serverId)
  await Promise.all(others.map((id) => bench.cluster.remove(id)))
  await bench.cluster.stopAll({ timeoutSeconds: 1 })
  expect(filesBox(serverId)).toBeUndefined()
  expect(traces(serverId)).toEqual([])
})

test.runIf(isRoot)('what is the supervisor’s cannot be had, made or replaced from a box', async () => {
  const serverId = randomUUID()
  const path = await openFiles(serverId) // before there ever was a supervisor
  const text = `cd /data; ls -A .wakestone; mkdir .wakestone/x; rmdir .wakestone; mv .wakestone y
    chmod 777 .wakestone; umount .wakestone; ln -sfT /etc .wakestone; ls -Ad .*wake*`
  expect(await ask(path, `(${text}) 2>/dev/null`)).toEqual({ out: '.wakestone\n' })
  await bench.cluster.place({ serverId, limits: bench.limits })
  const own = join(bench.volumeOf(serverId), '.wakestone')
  const { supervisor } = usersOf(readAllotment(pathsOf(serverId))!)
  expect([lstatSync(own).isDirectory(), lstatSync(own).uid]).toEqual([true, supervisor])
  expect(existsSync(join(own, 'console'))).toBe(true)
  expect(await ask(path, 'ls -A /data/.wakestone')).toEqual({ out: '' })
})

test.runIf(isRoot)('links and pipes of a volume lead a box nowhere', async () => {
  const foreign = join(bench.dataDir, 'foreign')
  mkdirSync(foreign, { recursive: true })
  writeFileSync(join(foreign, 'file'), 'foreign', { mode: 0o600 })
  for (const plant of [
    (own: string) => symlinkSync(foreign, own),
    (own: string) => symlinkSync('/nowhere', own),
    (own: string) => writeFileSync(own, 'a file'),
    (own: string) => execFile('mkfifo', [own]),
  ]) {
    const serverId = randomUUID()
    const { volume } = pathsOf(serverId)
    mkdirSync(volume, { recursive: true })
    plant(join(volume, '.wakestone'))
    symlinkSync(foreign, join(volume, 'link'))
    await vi.waitFor(() => lstatSync(join(volume, '.wakestone')))
    const text = `timeout 2 cat /data/.wakestone/file /data/link/file ${foreign}/file 2>/dev/null; echo mine > /data/file; cat /data/file`
    expect(await ask(await openFiles(serverId), text)).toMatchObject({ out: 'mine\n' })
    await bench.cluster.closeBoxes(serverId)
    expect(lstatSync(join(foreign, 'file'))).toMatchObject({ uid: 0, mode: 0o100600 })
    expect(lstatSync(foreign).uid).toBe(0)
    expect(traces(serverId)).toEqual([])
  }
})
