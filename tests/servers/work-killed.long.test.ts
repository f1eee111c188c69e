/**
 * Packages, worlds, maps and files that are fetched, through the front door, while whoever works on them is killed: the
 * worker as a process, the supervisor with all that it runs, or both. Whatever the moment, they come to the same end.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as files from '@wakestone/contract/servers/files-routes'
import * as maps from '@wakestone/contract/servers/mapview-routes'
import { isOver, type Operation, type OperationKind, operationPhases } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as packages from '@wakestone/contract/servers/packages-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import * as worlds from '@wakestone/contract/servers/worlds-routes'
import { sealManifest } from '@wakestone/packager/hash'
import { packFiles } from '../../apps/supervisor/src/test-support/temp.ts'
import { type Caller, startTestApi, type TestApi, stayForYears } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, topUp, untilStatus } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const random = createRandom(seedOf('KILL_SEED'))
const kinds = [
  'package_install',
  'package_uninstall',
  'world_change',
  'world_work',
  'map_render',
  'file_fetch',
] as const satisfies readonly OperationKind[]
type Kind = (typeof kinds)[number]
const victims = ['worker', 'supervisor', 'both'] as const
const moments = kinds.flatMap((kind) => operationPhases[kind].map((phase) => ({ kind, phase })))
const kills = moments.flatMap((moment) => victims.map((victim) => ({ ...moment, victim })))

const settings = { LIMIT_POWER: '0', ALLOW_PRIVATE_TARGETS: '1' }
/** Sent slowly, so that there is a moment to be killed in. */
const content = randomBytes(512 * 1024)
const pieces = 16

let api: TestApi
let worker: WorkerProcess
let owner: Caller
let id: string
let source: Server

beforeAll(async () => {
  api = await startTestApi(settings)
  const { engineVersion } = await prepareArtifacts(api)
  await offerPackage()
  source = createServer((_request, response) => void sendSlowly(response)).listen(0, '127.0.0.1')
  worker = await startWorker()
  owner = await stayForYears(api, await api.signUp())
  const walletId = await topUp(api.context, owner, 5000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, id, isUp)
  await layRegion()
  const body = { world: 'world', name: 'other' }
  await end((await owner.call(worlds.duplicateWorld, { params: params(), body })).process_id)
})
afterAll(async () => {
  await worker?.kill()
  await api?.context.fleet.cluster.remove(id)
  await api?.close()
  source?.close()
})

/** Something small to install, beside what the engine's build has put there. */
async function offerPackage() {
  const folder = join(api.dataDir, 'artifacts')
  const archive = await packFiles({ 'vault.jar': 'vault' })
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const file = `${sha256}.tar.gz`
  writeFileSync(join(folder, file), archive)
  const manifest = await sealManifest({
    manifestVersion: 1,
    name: 'vault',
    packageVersion: '1.7.0',
    contentVersion: '1.7.0',
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
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { artifacts: object[] }
  index.artifacts.push({ name: 'vault', file, manifest })
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))
}

async function sendSlowly(response: ServerResponse) {
  response.writeHead(200, { 'content-length': content.length })
  const size = content.length / pieces
  for (let piece = 0; piece < pieces && !response.destroyed; piece++) {
    response.write(content.subarray(piece * size, (piece + 1) * size))
    await delay(40)
  }
  response.end()
}

/** Something to draw. */
async function layRegion() {
  const run = await api.context.fleet.cluster.runTask(id, {
    name: 'test',
    command: [
      '/bin/sh',
      '-c',
      'mkdir -p /data/world/region && cp /opt/wakestone/tools/regions/1.8.9/* /data/world/region/',
    ],
    volume: 'write',
    tools: { regions: join(import.meta.dirname, '../fixtures/regions') },
    network: 'none',
    memoryBytes: 64 * 1024 ** 2,
  })
  for await (const _line of run.lines);
  expect(await run.exit).toMatchObject({ code: 0 })
}

const startWorker = () => startWorkerProcess(api, settings)
const params = () => ({ id })
const get = (operation: string) => owner.call(processes.getProcess, { params: { id, process_id: operation } })
async function until(operation: string, isThere: (operation: Operation) => boolean): Promise<Operation> {
  for (const deadline = Date.now() + 120_000; ; await delay(20)) {
    const present = await get(operation)
    if (isThere(present)) return present
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(present)}`)
  }
}
async function end(operation: string | null): Promise<Operation> {
  if (operation === null) throw new Error('done at once')
  return until(operation, ({ state }) => isOver(state))
}

let count = 0
const copyName = () => `copy-${count}`
const fetchedName = () => `fetched-${count}.bin`

/** What tells one state of the server from another, by kind. */
async function look(kind: Kind): Promise<string> {
  switch (kind) {
    case 'package_install':
    case 'package_uninstall': {
      const list = await owner.call(packages.listPackages, { params: params() })
      return `${list.map(({ Manifest: { name } }) => name).join()} ${await digestOf('plugins/vault.jar')}`
    }
    case 'world_change':
      return (await owner.call(worlds.listWorlds, { params: params() })).active ?? 'none'
    case 'world_work': {
      const all = (await owner.call(worlds.listWorlds, { params: params() })).worlds
      return String(all.some(({ folder }) => folder === copyName()))
    }
    case 'map_render':
      return (await owner.call(maps.showMap, { params: params() })).drawn_at ?? 'never'
    case 'file_fetch':
      return digestOf(fetchedName())
  }
}
async function digestOf(path: string): Promise<string> {
  const query = new URLSearchParams({ path })
  const headers = { cookie: owner.cookie() }
  const answer = await fetch(`${api.origin}/api/v1/servers/${id}/files/content?${query}`, { headers })
  if (!answer.ok) {
    expect(await outcomeOf(owner.call(files.getFileStat, { params: params(), query: { path } }))).toBe(
      'file_does_not_exist',
    )
    return 'none'
  }
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

const vault = createHash('sha256').update('vault').digest('hex')
/** What `look` tells once it is done. */
function isDone(kind: Kind, before: string, after: string): boolean {
  switch (kind) {
    case 'package_install':
      return after === `vault ${vault}`
    case 'package_uninstall':
      return after === ' none'
    case 'world_change':
      return after === (before === 'world' ? 'other' : 'world')
    case 'world_work':
      return after === 'true'
    case 'map_render':
      return after !== 'never' && after !== before
    case 'file_fetch':
      return after === createHash('sha256').update(content).digest('hex')
  }
}

async function prepare(kind: Kind): Promise<string> {
  count++
  await untilStatus(owner, id, isUp)
  const isInstalled = (await look('package_install')) !== ' none'
  if (kind === 'package_install' && isInstalled) await end(await begin('package_uninstall'))
  if (kind === 'package_uninstall' && !isInstalled) await end(await begin('package_install'))
  await untilStatus(owner, id, isUp)
  await api.context.db.updateTable('server_maps').set({ asked_at: null }).where('server_id', '=', id).execute()
  return look(kind)
}

async function begin(kind: Kind): Promise<string> {
  const begun = await beginAny(kind)
  const [, operation] = Object.entries(begun).find(([key]) => key.endsWith('process_id')) ?? []
  if (typeof operation !== 'string') throw new Error(`no operation: ${JSON.stringify(begun)}`)
  return operation
}
async function beginAny(kind: Kind): Promise<object> {
  switch (kind) {
    case 'package_install':
      return onlyPackages(
        await owner.call(packages.installPackages, { params: params(), body: { packages: ['vault'] } }),
      )
    case 'package_uninstall':
      return onlyPackages(
        await owner.call(packages.uninstallPackages, { params: params(), body: { packages: ['vault'] } }),
      )
    case 'world_change': {
      const { active } = await owner.call(worlds.listWorlds, { params: params() })
      const body = { world: active === 'world' ? 'other' : 'world' }
      return owner.call(worlds.switchWorld, { params: params(), body })
    }
    case 'world_work':
      return owner.call(worlds.duplicateWorld, { params: params(), body: { world: 'world', name: copyName() } })
    case 'map_render':
      return owner.call(maps.drawMap, { params: params() })
    case 'file_fetch': {
      const { port } = source.address() as AddressInfo
      const body = { url: `http://127.0.0.1:${port}/file`, path: fetchedName() }
      return owner.call(files.fetchFile, { params: params(), body })
    }
  }
}
/** The game is stopped for it by the same operation; that has a name of its own. */
const onlyPackages = (answer: object) =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => /^(un)?install_package_process_id$/.test(key)))

async function told(operation: string) {
  const { data } = await owner.call(routes.listServerEvents, { params: params(), query: { limit: 100 } })
  const own = data.filter((event) => (event.data as { process_id?: string }).process_id === operation)
  expect(new Set(own.map(({ action }) => action)).size).toBe(own.length) // each once
  return [...new Set(own.map(({ success }) => success))]
}

/** A fetch that its owner gives up is nothing to tell of; of a map it is told that it was asked for. */
const toldOfCancelled = (kind: Kind) => (kind === 'file_fetch' ? [] : kind === 'map_render' ? [true] : [false])

describe('killed', () => {
  test.each(kills)('$kind at $phase, the $victim: the same end', async ({ kind, phase, victim }) => {
    const before = await prepare(kind)
    const operation = await begin(kind)
    await until(operation, (present) => present.phase === phase || isOver(present.state))
    await delay(random.below(300))
    if (victim !== 'supervisor') await worker.kill()
    if (victim !== 'worker') await api.context.fleet.cluster.remove(id)
    if (victim !== 'supervisor') worker = await startWorker()
    expect(await end(operation)).toMatchObject({ state: 'done', progress: 1, error: null })
    await untilStatus(owner, id, isUp)
    const after = await look(kind)
    expect(after).toSatisfy((found: string) => isDone(kind, before, found))
    expect(await told(operation)).toEqual([true])
  })
})

describe('cancelled', () => {
  test.each(moments)(
    '$kind at $phase: everything is as it was, unless it was done by then',
    async ({ kind, phase }) => {
      const before = await prepare(kind)
      const operation = await begin(kind)
      await until(operation, (present) => present.phase === phase || isOver(present.state))
      const cancelling = await outcomeOf(owner.call(processes.cancelProcess, { params: { id, process_id: operation } }))
      const { state } = await end(operation)
      expect(state).toBe(cancelling === 'success' ? 'cancelled' : 'done')
      await untilStatus(owner, id, isUp)
      const after = await look(kind)
      if (state === 'cancelled') expect(after).toBe(before)
      else expect(after).toSatisfy((found: string) => isDone(kind, before, found))
      expect(await told(operation)).toEqual(state === 'done' ? [true] : toldOfCancelled(kind))
    },
  )
})
