/** Packages on a server, through the front door: a real supervisor lays real files onto a real volume. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as engines from '@wakestone/contract/servers/engine-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as packages from '@wakestone/contract/servers/packages-routes'
import type { PackagePreview } from '@wakestone/contract/servers/packages'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { packFiles } from '../../apps/supervisor/src/test-support/temp.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let upstreams: Upstreams
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string

/** A plugin of one jar, packed as our own artifacts are. */
async function release(
  name: string,
  version: string,
  changes: Partial<Manifest> = {},
  isBroken = false,
): Promise<Manifest> {
  const archive = isBroken
    ? Buffer.from('no archive')
    : await packFiles({ [`${name}.jar`]: `${name} ${version}`, [`${name}/config.yml`]: `version: ${version}` })
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const file = `${sha256}.tar.gz`
  writeFileSync(join(api.dataDir, 'artifacts', file), archive)
  return sealManifest({
    manifestVersion: 1,
    name,
    packageVersion: version,
    contentVersion: version,
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
    ...changes,
  })
}

beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  mkdirSync(join(api.dataDir, 'artifacts'), { recursive: true })
  const manifests = await Promise.all([
    release('vault', '1.7.0', { depends: ['provides:minecraft@>=1.20'] }),
    release('shops', '1.0.0', { depends: ['vault'] }),
    release('shops', '2.0.0', { depends: ['vault@>=1.7'], recommends: ['maps'] }),
    release('relic', '1.0.0', { depends: [{ name: 'minecraft', expr: '>=1.21' }] }),
    release('broken', '1.0.0', {}, true),
  ])
  const artifacts = manifests.map((manifest) => ({
    name: manifest.name,
    file: manifest.downloadFiles[0]!.name,
    manifest,
  }))
  writeFileSync(join(api.dataDir, 'artifacts', 'index.json'), JSON.stringify({ artifacts }))
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, '1.20.4', { engine: 'vanilla' }) })).id
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  await upstreams?.close()
})

const params = () => ({ id: serverId })
type InstallBody = Parameters<typeof owner.call<typeof packages.installPackages>>[1]['body']
const install = (body: InstallBody) => owner.call(packages.installPackages, { params: params(), body })
const remove = (names: string[], dry_run = false) =>
  owner.call(packages.uninstallPackages, { params: params(), body: { packages: names, dry_run } })

async function end(answer: object): Promise<Operation> {
  const id = Object.entries(answer).find(([key]) => /^(un)?install_package_process_id$/.test(key))?.[1] as string
  for (const deadline = Date.now() + 90_000; ;) {
    const operation = await owner.call(processes.getProcess, { params: { id: serverId, process_id: id } })
    if (isOver(operation.state)) return operation
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
    await delay(50)
  }
}
const list = async () =>
  (await owner.call(packages.listPackages, { params: params() })).map(
    ({ Manifest: { name, packageVersion }, InstalledBySelector: by }) =>
      `${name} ${packageVersion}${by ? ' asked' : ''}`,
  )
async function readFile(path: string): Promise<string | undefined> {
  const query = new URLSearchParams({ path })
  const headers = { cookie: owner.cookie() }
  const answer = await fetch(`${api.origin}/api/v1/servers/${serverId}/files/content?${query}`, { headers })
  return answer.ok ? answer.text() : undefined
}

test('a dry run says what would come, and changes nothing', async () => {
  expect(await list()).toEqual([])
  expect(await install({ packages: ['shops'], dry_run: true })).toMatchObject({
    is_possible: true,
    added: [
      { name: 'shops', version: '2.0.0' },
      { name: 'vault', version: '1.7.0' },
    ],
    changed: [],
    removed: [],
    restarts: true,
    recommended: [{ name: 'maps' }],
  })
  expect(await list()).toEqual([])
})

test('a package comes with what it needs, and the game is up again with both', async () => {
  const begun = await install({ packages: ['shops@1.0.0'] })
  expect(await end(begun)).toMatchObject({
    state: 'done',
    kind: 'package_install',
    about: { packages: ['shops', 'vault'] },
  })
  expect((await list()).toSorted()).toEqual(['shops 1.0.0 asked', 'vault 1.7.0'])
  await untilStatus(owner, serverId, isUp)
  expect(await readFile('plugins/shops.jar')).toBe('shops 1.0.0')
  expect(await readFile('plugins/vault.jar')).toBe('vault 1.7.0')
  const { data } = await owner.call(routes.listServerEvents, {
    params: params(),
    query: { action: 'SERVER_INSTALL_PACKAGE' },
  })
  expect(data[0]).toMatchObject({
    success: true,
    executor: { id: owner.user.id },
    data: { package_name: 'shops, vault' },
  })
})

test('what is there already is not installed again', async () => {
  const begun = await install({ packages: ['shops@1.0.0'] })
  expect(begun).toEqual({ install_package_process_id: expect.any(String), stop_game_process_id: null })
  expect(await end(begun)).toMatchObject({ state: 'done', phase: null })
  expect(isUp(await owner.call(routes.getServerStatus, { params: params() }))).toBe(true)
})

test('a version that was chosen is told apart from what does not fit, and stays until another is asked for', async () => {
  expect(await owner.call(packages.listPackageUpdates, { params: params() })).toMatchObject({
    updates: [],
    chosen: [{ name: 'shops', from: '1.0.0', to: '2.0.0', wanted: '1.0.0' }],
    held: [],
  })
  const takes = { is_possible: true, changed: [{ name: 'shops', from: '1.0.0', to: '2.0.0' }] }
  expect(await install({ packages: ['shops@2.0.0'], dry_run: true })).toMatchObject(takes)
  expect(await install({ packages: ['shops'], update: ['shops'], dry_run: true })).toMatchObject(takes)
})

test('an update replaces its files', async () => {
  const begun = await install({ packages: ['shops'], update: ['shops'] })
  expect(await end(begun)).toMatchObject({ state: 'done' })
  expect(await list()).toContain('shops 2.0.0 asked')
  expect(await readFile('plugins/shops.jar')).toBe('shops 2.0.0')
  expect(await owner.call(packages.listPackageUpdates, { params: params() })).toMatchObject({ chosen: [], held: [] })
})

test('what does not fit is refused, and a dry run says why', async () => {
  expect(await refusalOf(install({ packages: ['relic'] }))).toMatchObject({
    error: 'kloceg_install_failed',
    fields: { reason: 'conflicts', packages: 'relic' },
  })
  const preview = await install({ packages: ['relic'], dry_run: true })
  expect(preview).toMatchObject({ is_possible: false })
  const { conflicts, alternatives } = preview as PackagePreview
  expect(conflicts.flatMap(({ because }) => because)).toContainEqual({
    kind: 'wish',
    of: 'game',
    selector: { provides: 'minecraft', expr: '=1.20.4' },
    isMissing: false,
  })
  expect(alternatives).toEqual([
    [{ kind: 'remove', package: 'relic' }],
    [{ kind: 'ground', of: 'game', name: 'minecraft', version: expect.stringMatching(/^(1\.2[1-9]|2\d)/) }],
  ])
  expect(await outcomeOf(install({ packages: ['../etc'] }))).toBe('invalid_selector')
  expect(await refusalOf(install({ packages: ['nothing'] }))).toMatchObject({
    error: 'resource_not_found',
    fields: { resource: 'package', name: 'nothing' },
  })
})

test('one that cannot be unpacked leaves everything as it was', async () => {
  const ended = await end(await install({ packages: ['broken'] }))
  expect(ended).toMatchObject({ state: 'rolled_back', error: { code: 'kloceg_install_failed' } })
  expect((await list()).toSorted()).toEqual(['shops 2.0.0 asked', 'vault 1.7.0'])
  await untilStatus(owner, serverId, isUp)
  expect(await readFile('plugins/shops.jar')).toBe('shops 2.0.0')
})

test('packages stay through a change of the engine', async () => {
  const body = { engine: 'vanilla', version: '1.21.4', ignore_format: true, ignore_backup: true } as const
  const { change_engine_process_id: id } = await owner.call(engines.changeEngine, { params: params(), body })
  expect(await end({ install_package_process_id: id })).toMatchObject({ state: 'done' })
  expect((await list()).toSorted()).toEqual(['shops 2.0.0 asked', 'vault 1.7.0'])
})

test('what others need stays until they go, and goes with them', async () => {
  expect(await refusalOf(remove(['vault']))).toMatchObject({
    error: 'kloceg_uninstall_failed',
    fields: { reason: 'needed_by_others', packages: 'shops' },
  })
  expect(await outcomeOf(remove(['nothing']))).toBe('resource_not_found')
  expect(await remove(['shops'], true)).toMatchObject({
    is_possible: true,
    removed: [{ name: 'shops' }, { name: 'vault' }],
  })
  expect(await end(await remove(['shops']))).toMatchObject({ state: 'done', kind: 'package_uninstall' })
  expect(await list()).toEqual([])
  expect(await readFile('plugins/shops.jar')).toBeUndefined()
})
