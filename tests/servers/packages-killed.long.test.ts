/**
 * Twelve packages onto a server at once, at a hundred moments by chance: the worker or the supervisor is killed, or both,
 * the disk is full, or the owner cancels. Whatever happens, the server has all of them or none, in its list as on its
 * disk, and starts.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as packages from '@wakestone/contract/servers/packages-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { sealManifest } from '@wakestone/packager/hash'
import { sql } from 'kysely'
import { canMountImages } from '../../apps/server/src/adapters/clusters/process/test-support/machine.ts'
import { packFiles } from '../../apps/supervisor/src/test-support/temp.ts'
import { type Caller, startTestApi, type TestApi, stayForYears } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 600_000 })

const MIB = 1024 ** 2
const random = createRandom(seedOf('KILL_SEED'))
const victims = ['worker', 'supervisor', 'both', 'cancel', ...(canMountImages ? (['disk'] as const) : [])] as const
const moments = Array.from({ length: Number(process.env['KILL_MOMENTS'] ?? 100) }, (_, number) => ({
  number,
  victim: victims[number % victims.length]!,
  /** An installation takes about so long here. */
  after: random.below(2500),
}))
const settings = { LIMIT_POWER: '0' }
const names = Array.from({ length: 12 }, (_, number) => `part-${String(number).padStart(2, '0')}`)
const digests = new Map<string, string>()

let api: TestApi
let worker: WorkerProcess
let owner: Caller
let id: string

beforeAll(async () => {
  api = await startTestApi(settings)
  const { engineVersion } = await prepareArtifacts(api)
  await offerPackages()
  owner = await stayForYears(api, await api.signUp())
  const walletId = await topUp(api.context, owner, 5000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{storage}', ${String(512 * MIB)}::jsonb)`.execute(
    api.context.db,
  )
  worker = await startWorker()
  await untilStatus(owner, id, isUp, 300_000)
})
afterAll(async () => {
  await worker?.kill()
  await api?.context.fleet.cluster.remove(id)
  await api?.close()
})

const startWorker = () => startWorkerProcess(api, settings)

/** A megabyte each, which nothing makes smaller; they need each other in a row. */
async function offerPackages() {
  const folder = join(api.dataDir, 'artifacts')
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { artifacts: object[] }
  for (const [place, name] of names.entries()) {
    const content = randomBytes(MIB / 2).toString('hex')
    digests.set(name, createHash('sha256').update(content).digest('hex'))
    const archive = await packFiles({ [`${name}.jar`]: content, [`${name}/config.yml`]: `name: ${name}\n` })
    const sha256 = createHash('sha256').update(archive).digest('hex')
    const file = `${sha256}.tar.gz`
    writeFileSync(join(folder, file), archive)
    const manifest = sealManifest({
      manifestVersion: 1,
      name,
      packageVersion: '1.0.0',
      contentVersion: '1.0.0',
      versionFormat: 'semver',
      subdir: 'plugins',
      depends: place === 0 ? [] : [names[place - 1]!],
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
  }
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))
}

async function inVolume(script: string): Promise<string> {
  const run = await api.context.fleet.cluster.runTask(id, {
    name: 'test',
    command: ['/bin/sh', '-c', script],
    volume: 'write',
    network: 'none',
    memoryBytes: 64 * MIB,
  })
  const said = { out: '', err: '' }
  for await (const { stream, text } of run.lines) said[stream] += `${text}\n`
  expect(await run.exit, said.err).toMatchObject({ code: 0 })
  return said.out
}

const params = () => ({ id })
async function end(operation: string): Promise<Operation> {
  for (const deadline = Date.now() + 300_000; ; await delay(30)) {
    const present = await owner.call(processes.getProcess, { params: { id, process_id: operation } })
    if (isOver(present.state)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}

/** What the list says, held against what lies on the disk. */
async function look(): Promise<'all' | 'none'> {
  const list = await owner.call(packages.listPackages, { params: params() })
  const listed = list.map(({ Manifest: { name } }) => String(name)).toSorted()
  const lines = (await inVolume('cd /data; for f in plugins/part-*.jar; do [ -f "$f" ] && sha256sum "$f"; done; true'))
    .split('\n')
    .filter((line) => line !== '')
  const found = Object.fromEntries(lines.map((line) => line.split(/\s+\*?/).toReversed() as [string, string]))
  const wanted = Object.fromEntries(names.map((name) => [`plugins/${name}.jar`, digests.get(name)]))
  expect([[], names]).toContainEqual(listed)
  expect(found).toEqual(listed.length === 0 ? {} : wanted)
  return listed.length === 0 ? 'none' : 'all'
}

/** What was begun; a dry run begins nothing. */
function operationOf(answer: object): string {
  const [, begun] = Object.entries(answer).find(([key]) => /^(un)?install_package_process_id$/.test(key)) ?? []
  if (typeof begun !== 'string') throw new Error('nothing was begun')
  return begun
}

async function clear() {
  if ((await look()) === 'none') return
  const body = { packages: [...names], force: true }
  const begun = await owner.call(packages.uninstallPackages, { params: params(), body })
  expect(await end(operationOf(begun))).toMatchObject({ state: 'done' })
  await untilStatus(owner, id, isUp, 300_000)
}

test.each(moments)('moment $number: $victim after $after ms', async ({ victim, after }) => {
  await untilStatus(owner, id, isUp, 300_000)
  await clear()
  if (victim === 'disk')
    // Between room for nothing and room for most of it.
    await inVolume(
      `free=$(df --output=avail --block-size=1 /data | tail -1); head -c $((free - ${random.below(24) * MIB})) /dev/zero > /data/ballast; true`,
    )
  const operation = operationOf(
    await owner.call(packages.installPackages, { params: params(), body: { packages: [names.at(-1)!] } }),
  )
  await delay(after)
  if (victim === 'worker' || victim === 'both') await worker.kill()
  if (victim === 'supervisor' || victim === 'both') await api.context.fleet.cluster.remove(id)
  if (victim === 'worker' || victim === 'both') worker = await startWorker()
  const cancelled =
    victim === 'cancel'
      ? await outcomeOf(owner.call(processes.cancelProcess, { params: { id, process_id: operation! } }))
      : undefined
  const { state } = await end(operation!)
  if (victim === 'disk') await inVolume('rm -f /data/ballast')
  else expect(state).toBe(cancelled === 'success' ? 'cancelled' : 'done')
  // It comes up by itself, or is told to where it ran out of room.
  if (victim === 'disk') await outcomeOf(owner.call(routes.startServer, { params: params() }))
  await untilStatus(owner, id, isUp, 300_000)
  // What was cancelled in the last moment may be up with the new ones for a little longer, until they are taken back.
  await vi.waitFor(async () => expect(await look()).toBe(state === 'done' ? 'all' : 'none'), 30_000)
  await untilStatus(owner, id, isUp, 300_000)
})
