/** Tasks beside supervisors, in real sandboxes: what they see, what they may, how they end. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isLong } from '../../../../../../../tests/support/long.ts'
import type { Cluster } from '../../cluster.ts'
import { serverPaths } from '../paths.ts'
import { ask, runTask, shellTask, tracesOf } from '../test-support/boxes.ts'
import { openSandboxBench, type SandboxBench } from '../test-support/sandbox-bench.ts'

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
const traces = (serverId: string) => tracesOf(bench.dataDir, serverId)

test('a task sees the volume, its tools and folders, and nothing else', async () => {
  const { serverId } = await bench.placeNew()
  writeFileSync(join(bench.volumeOf(serverId), 'server.properties'), 'motd=hello')
  const tool = join(bench.dataDir, 'a-tool')
  writeFileSync(tool, '#!/bin/sh\necho "$@" && cat', { mode: 0o755 })
  const store = join(bench.dataDir, 'store', serverId)
  const text = `cat /data/server.properties; echo
    /opt/wakestone/tools/greet well met
    echo kept > /mnt/store/file
    ls -A /data /data/.wakestone /mnt | tr '\\n' ' '; echo
    id -u; echo "$SECRET"; env | grep -c DATA_DIR
    ls ${bench.dataDir} 2>&1; grep -vc lo: /proc/net/dev
    ls -d /proc/[0-9]* | wc -l; ls -d /proc/self/fd/[3-9]*
    echo broken >&2; exit 7`
  const found = await run(serverId, text, {
    tools: { greet: tool },
    folders: { store: { host: store, write: true } },
    env: { SECRET: 'only for it' },
    stdin: 'by its input\n',
  })
  const [motd, greeting, input, listing, ...others] = found.out
  expect([motd, greeting, input]).toEqual(['motd=hello', 'well met', 'by its input'])
  expect(listing).toBe('/data: .wakestone server.properties  /data/.wakestone:  /mnt: store ')
  const [user, secret, foreign, missing, headings, processes] = others
  expect([user, secret, foreign, headings]).toEqual(['1000', 'only for it', '0', '2'])
  expect(missing).toMatch(/No such file/)
  expect(Number(processes)).toBeLessThan(5)
  expect(found.err).toContain('broken')
  expect(found).toMatchObject({ code: 7, signal: null, outOfMemory: false })
  expect(readFileSync(join(store, 'file'), 'utf8')).toBe('kept\n')
  expect(traces(serverId)).toEqual([])
})

test('changing a file’s owner is refused as not permitted, also for users unknown here', async () => {
  const { serverId } = await bench.placeNew()
  const text = 'touch /data/world && chown -h 234567 /data/world 2>&1; stat -c %u /data/world'
  const { out } = await run(serverId, text, { volume: 'write' })
  expect(out).toEqual([expect.stringMatching(/not permitted/), '1000'])
})

test.runIf(isLong)(
  'while there is no server, boxes begin though others of their kind are just being removed',
  async () => {
    const empty = await openSandboxBench()
    const useOnce = async () => {
      const place = randomUUID()
      const { code, err } = await runTask(empty.cluster, place, shellTask('true', { volume: 'none' }))
      expect([code, err]).toEqual([0, []])
      await empty.cluster.remove(place, { volume: 'delete' })
    }
    const lane = async () => {
      for (let turn = 0; turn < 5; turn++) await useOnce()
    }
    await Promise.all([lane(), lane(), lane()])
    await empty.close()
  },
)

test.runIf(isLong)('what a task reads only it cannot change; what is no name is refused', async () => {
  const { serverId } = await bench.placeNew()
  const store = join(bench.dataDir, 'read', serverId)
  mkdirSync(store, { recursive: true })
  const text = 'touch /data/x /mnt/store/x /opt/wakestone/x 2>&1 | grep -c "Read-only"'
  const folders = { store: { host: store, write: false } }
  expect((await run(serverId, text, { volume: 'read', folders })).out).toEqual(['3'])
  expect((await run(serverId, 'ls /data 2>&1', { volume: 'none' })).out.join()).toMatch(/No such file/)
  for (const bad of [{ name: '../x' }, { tools: { '../x': '/bin' } }, { env: { 'A B': '' } }, { command: [] }])
    await expect(run(serverId, '', bad)).rejects.toThrow('cannot be run')
  await expect(run(randomUUID(), 'true')).rejects.toThrow('no volume')
  await expect(run(serverId, '', { command: ['/nowhere'] })).resolves.toMatchObject({ code: 1 })
  expect(traces(serverId)).toEqual([])
})

test.runIf(isLong)('a task ends when it is told to, and with its server', async () => {
  const { serverId } = await bench.placeNew()
  const patient = await bench.cluster.runTask(
    serverId,
    shellTask('trap "echo saved; exit 3" INT; while :; do sleep 0.1; done'),
  )
  const plain = await bench.cluster.runTask(serverId, shellTask('exec sleep 600'))
  const stubborn = await bench.cluster.runTask(serverId, shellTask('trap "" INT TERM; while :; do sleep 1; done'))
  plain.cancel()
  expect(await plain.exit).toMatchObject({ code: null, signal: 'SIGINT' })
  patient.cancel()
  for await (const { text } of patient.lines) expect(text).toBe('saved')
  expect(await patient.exit).toMatchObject({ code: 3, signal: null })
  await openFiles(serverId)
  await bench.cluster.remove(serverId, { volume: 'delete' })
  expect(await stubborn.exit).toMatchObject({ code: null, signal: 'SIGKILL' })
  expect(existsSync(pathsOf(serverId).home)).toBe(false)
  expect(traces(serverId)).toEqual([])
})

test.runIf(isLong && isRoot)('memory and processes of boxes are limited', async (context) => {
  const { serverId } = await bench.placeNew()
  const { cgroup } = JSON.parse(readFileSync(join(pathsOf(serverId).host, 'config.json'), 'utf8'))
  if (cgroup === null) return context.skip()
  const eat = [
    '/opt/wakestone/bin/node',
    '-e',
    'const kept = []; setInterval(() => kept.push(Buffer.alloc(16 * 1024 ** 2, 1)), 1)',
  ]
  const eaten = await run(serverId, '', { command: eat, memoryBytes: 96 * MIB })
  expect(eaten).toMatchObject({ code: null, signal: 'SIGKILL', outOfMemory: true })
  const many = await run(serverId, 'n=0; while [ $n -lt 400 ]; do sleep 60 & n=$((n+1)); done; echo all')
  expect(many.out).toEqual([])
  expect(many.err.join()).toMatch(/fork/)
  expect(traces(serverId)).toEqual([])
})

test.runIf(isLong && isRoot)('an ordinary user has boxes too', async () => {
  const program = [process.execPath, '--no-warnings', join(import.meta.dirname, '../test-support/boxes.ts')]
  const asOrdinary = ['--reuid=64123', '--regid=64123', '--clear-groups', '--', ...program]
  const { stdout } = await promisify(execFile)('setpriv', asOrdinary, { cwd: '/' })
  const { ran, files, traces: left } = JSON.parse(stdout)
  expect(ran).toMatchObject({ code: 1, out: ['1000', '/data:', '.wakestone', 'file', '', '/data/.wakestone:'] })
  expect(ran.err.join()).toMatch(/Read-only/)
  expect(files).toEqual({ out: 'mine\n' })
  expect(left).toEqual([])
})

test.runIf(isLong)('without a sandbox, when that is allowed', async () => {
  const cluster = bench.openCluster({ bwrapPath: '/nowhere/bwrap', allowUnsandboxed: true })
  const serverId = randomUUID()
  const path = await openFiles(serverId, bench.limits, cluster)
  await ask(path, 'cd "$PWD"; true')
  const { volume } = pathsOf(serverId)
  expect(await ask(path, 'config')).toMatchObject({ volume })
  writeFileSync(join(volume, 'file'), 'mine')
  const store = join(bench.dataDir, 'bare', serverId)
  const task = {
    ...shellTask(''),
    command: ['/opt/wakestone/tools/copy', '/data/file', '/mnt/store/kept'],
    tools: { copy: '/bin/cp' },
    folders: { store: { host: store, write: true } },
  }
  expect(await runTask(cluster, serverId, task)).toMatchObject({ code: 0 })
  expect(readFileSync(join(store, 'kept'), 'utf8')).toBe('mine')
  const long = await cluster.runTask(serverId, shellTask('sleep 600'))
  await cluster.closeBoxes(serverId)
  // The shell was killed, or it reports that its child was.
  const { code, signal } = await long.exit
  expect(signal ?? code).toBeOneOf(['SIGKILL', 137])
  await expect(ask(path, 'config')).rejects.toThrow(/ECONNREFUSED|ENOENT/)
  expect(traces(serverId)).toEqual([])
})
