/** A pack of mods on a server, through the front door: with its loader in one step, and back again. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as engines from '@wakestone/contract/servers/engine-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import type { PackagePreview } from '@wakestone/contract/servers/packages'
import * as packages from '@wakestone/contract/servers/packages-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Catalogues, startCatalogues } from '@wakestone/simulators/catalogues'
import { makeZip } from '@wakestone/simulators/stand-ins'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { ask, contentPath } from '../support/files.ts'
import { refusalOf } from '../support/outcome.ts'
import { isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const pack = 'modrinth:PackBigA'
const mod = 'mods/fabric-api-0.119.5+1.21.4.jar'

let upstreams: Upstreams
let catalogues: Catalogues
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string

beforeAll(async () => {
  upstreams = await startUpstreams()
  catalogues = await startCatalogues()
  api = await startTestApi({ ...upstreams.settings, ...catalogues.settings })
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, '1.21.4', { engine: 'vanilla' }) })).id
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  await catalogues?.close()
  await upstreams?.close()
})

const params = () => ({ id: serverId })
type InstallBody = Parameters<typeof owner.call<typeof packages.installPackages>>[1]['body']
const install = (body: InstallBody) => owner.call(packages.installPackages, { params: params(), body })
const plan = async (body: InstallBody) => (await install({ ...body, dry_run: true })) as PackagePreview

async function end(answer: object): Promise<Operation> {
  const id = Object.entries(answer).find(([key]) => key.endsWith('_package_process_id'))?.[1] as string
  for (const deadline = Date.now() + 120_000; ;) {
    const operation = await owner.call(processes.getProcess, { params: { id: serverId, process_id: id } })
    if (isOver(operation.state)) return operation
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
    await delay(50)
  }
}
async function readFile(path: string): Promise<string | undefined> {
  const answer = await ask(api, owner, contentPath(serverId, { path }))
  return answer.ok ? answer.text() : undefined
}
async function writeFile(path: string, bytes: Buffer): Promise<void> {
  const answer = await ask(api, owner, contentPath(serverId, { path }), { method: 'PUT', body: new Uint8Array(bytes) })
  expect(answer.status, await answer.text()).toBe(200)
}
const engineOf = async () => {
  const { engine, version } = await owner.call(engines.getEngine, { params: params() })
  return `${engine} ${version}`
}

test('the plan says what a pack brings, and that it is made for another engine', async () => {
  const preview = await plan({ packages: [pack] })
  expect(preview).toMatchObject({
    is_possible: false,
    obstacle: 'needs_engine',
    ground: { from: { engine: 'vanilla', version: '1.21.4' }, to: { engine: 'fabric', version: '1.21.4' } },
    packs: [{ name: pack, minecraft: '1.21.4', engine: 'fabric', files: 1, left_out: 1, by_hand: [] }],
    added: [{ name: pack, version: '1.0.0', source: 'modrinth', asked: true }],
    plugins: { count: 1 },
  })
  expect(await refusalOf(install({ packages: [pack] }))).toMatchObject({
    error: 'kloceg_install_failed',
    fields: { reason: 'needs_engine' },
  })
  expect(await plan({ packages: [pack], change_engine: true })).toMatchObject({ is_possible: true, obstacle: null })
  expect(await engineOf()).toBe('vanilla 1.21.4')
})

test('a file that is not what the pack says is not installed, and all is as before', async () => {
  catalogues.misbehave(/fabric-api-0\.119\.5/, { body: 'another file, as long as it likes' })
  const operation = await end(await install({ packages: [pack], change_engine: true }))
  expect(operation.state).not.toBe('done')
  catalogues.behave()
  expect(await engineOf()).toBe('vanilla 1.21.4')
  expect(await owner.call(packages.listPackages, { params: params() })).toEqual([])
  expect(await readFile(mod)).toBeUndefined()
  await untilStatus(owner, serverId, isUp)
})

test('one step brings engine, mods and settings; the game is up with them', async () => {
  expect(await end(await install({ packages: [pack], change_engine: true }))).toMatchObject({ state: 'done' })
  expect(await engineOf()).toBe('fabric 1.21.4')
  await untilStatus(owner, serverId, isUp)
  expect(await readFile(mod)).toContain('file fabric-api')
  expect(await readFile('config/big.json')).toContain('server')
  expect(await readFile('config/view.json')).toContain('distance')
  for (const path of ['options.txt', 'mods/minimap-1.0.0.jar', 'pack.mrpack', 'modrinth.index.json'])
    expect(await readFile(path), path).toBeUndefined()
  // What is in it needs not come a second time, and a second pack has no place beside it.
  expect((await plan({ packages: ['modrinth:LuckPrmA'] })).added.map(({ name }) => name)).toEqual(['modrinth:LuckPrmA'])
  expect(await plan({ packages: ['curseforge:700001'] })).toMatchObject({ is_possible: false, obstacle: 'conflicts' })
})

test('the way back is one to the engine from before', async () => {
  const { locks } = await owner.call(packages.listPackageLocks, { params: params(), query: {} })
  const first = locks.at(-1)!
  const restore = (dry_run: boolean) =>
    owner.call(packages.rollBackPackages, { params: { ...params(), lock_id: first.id }, body: { dry_run } })
  expect(await restore(true)).toMatchObject({ is_possible: true, ground: { to: { engine: 'vanilla' } } })
  expect(await end(await restore(false))).toMatchObject({ state: 'done' })
  expect(await engineOf()).toBe('vanilla 1.21.4')
  await untilStatus(owner, serverId, isUp)
  expect(await readFile(mod)).toBeUndefined()
  expect(await readFile('config/view.json')).toBeUndefined()
  // And forth again.
  const [, second] = (await owner.call(packages.listPackageLocks, { params: params(), query: {} })).locks
  const forth = { params: { ...params(), lock_id: second!.id }, body: { dry_run: true } }
  expect(await owner.call(packages.rollBackPackages, forth)).toMatchObject({
    is_possible: true,
    ground: { to: { engine: 'fabric' } },
  })
})

test('a pack that was brought as a file is read, and installed by its name', async () => {
  const index = {
    formatVersion: 1,
    game: 'minecraft',
    versionId: '3.1.0',
    name: 'Grandma’s Garden',
    files: [],
    dependencies: { minecraft: '1.21.4' },
  }
  const archive = (list: object, more: { path: string; content: string }[] = []) =>
    makeZip([{ path: 'modrinth.index.json', content: JSON.stringify(list) }, ...more])
  await writeFile('garden.mrpack', archive(index, [{ path: 'overrides/config/garden.txt', content: 'roses' }]))
  const take = (path: string) => owner.call(packages.takePack, { params: params(), body: { path } })
  const taken = await take('garden.mrpack')
  expect(taken).toMatchObject({ name: 'upload:grandma-s-garden', version: '3.1.0', engine: 'vanilla', files: 0 })
  expect(await end(await install({ packages: [taken.name] }))).toMatchObject({ state: 'done' })
  expect(await readFile('config/garden.txt')).toBe('roses')

  const climbing = {
    ...index,
    files: [
      {
        path: '../../etc/x',
        hashes: { sha512: 'a'.repeat(128) },
        downloads: ['https://cdn.modrinth.com/x'],
        fileSize: 1,
      },
    ],
  }
  const strange = {
    ...climbing,
    files: [{ ...climbing.files[0]!, path: 'mods/x.jar', downloads: ['https://evil.example/x.jar'] }],
  }
  for (const [name, bytes] of [
    ['climbing.mrpack', archive(climbing)],
    ['strange.mrpack', archive(strange)],
    ['none.zip', makeZip([{ path: 'a', content: 'b' }])],
    ['none.mrpack', Buffer.from('no archive')],
    ['bomb.mrpack', makeZip([{ path: 'modrinth.index.json', content: ' '.repeat(20_000_000) }])],
  ] as const) {
    await writeFile(name, bytes)
    expect(await refusalOf(take(name)), name).toMatchObject({
      error: 'kloceg_install_failed',
      fields: { reason: 'pack_unreadable' },
    })
  }
  // Its list is fine, what it lays out is not: the supervisor takes none of it.
  await writeFile(
    'climber.mrpack',
    archive({ ...index, name: 'Climber' }, [{ path: 'overrides/../../out', content: 'x' }]),
  )
  const { name } = await take('climber.mrpack')
  const replace = { packages: [], replace_installed_with: [{ from: taken.name, to: name }] }
  expect((await end(await install(replace))).state).not.toBe('done')
  expect(await readFile('config/garden.txt')).toBe('roses')
})
