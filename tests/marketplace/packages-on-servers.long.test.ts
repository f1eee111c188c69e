/**
 * From an author to a running game and back: a release of the marketplace on a server of flying-squid, seen by a player;
 * every call about packages; and a release that turns out to be malice.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { createApiClient } from '@wakestone/contract/client'
import * as moderation from '@wakestone/contract/marketplace/moderation-routes'
import * as releases from '@wakestone/contract/marketplace/releases-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import type { PackageSearchLine } from '@wakestone/contract/servers/package-search'
import type { PackagePreview } from '@wakestone/contract/servers/packages'
import * as packages from '@wakestone/contract/servers/packages-routes'
import * as files from '@wakestone/contract/servers/files-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { getEvent } from '@wakestone/contract/ground/events-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { buildZip } from '../../apps/inspector/src/test-support/build-zip.ts'
import { isolateEverywhere } from '../../apps/server/src/features/marketplace/catalogue/isolation.ts'
import { inspectRelease } from '../../apps/server/src/features/marketplace/releases/inspection.ts'
import { countUses } from '../../apps/server/src/features/marketplace/reviews/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type Author, makeProject, sendToGate, sha256, signUpAuthor } from '../support/marketplace.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { joinServer } from '../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let author: Author
let moderator: Caller
let owner: Caller
let stranger: Caller
let serverId: string
let rent: () => Promise<string>

const zip = (content: Record<string, string>) =>
  new Uint8Array(buildZip(Object.entries(content).map(([name, text]) => ({ name, content: text, deflated: true }))))

/** A plugin of flying-squid that greets whoever comes, and keeps a count of them beside itself. */
const greeter = (version: string) =>
  zip({
    'index.js': `const { appendFileSync } = require('node:fs')
module.exports = (serv) => serv.on('newPlayer', (player) => player.on('spawned', () => setTimeout(() => {
  appendFileSync(__dirname + '/guests.txt', player.username + '\\n')
  serv.broadcast('greeter ${version} greets ' + player.username)
}, 3000)))`,
  })

async function publish(
  slug: string,
  version: string,
  {
    file = greeter(version),
    name = `${slug}.zip`,
    ...more
  }: {
    file?: Uint8Array
    name?: string
    loaders?: string[]
    game_versions?: string[]
    release_type?: string
    manifest?: object
  } = {},
) {
  const release = await sendToGate(api, author, {
    slug,
    file,
    version,
    more: {
      loaders: ['flying-squid'],
      artifacts: [{ name, size: file.length, sha256: sha256(file) }],
      ...more,
    },
  })
  if (release.state !== 'waiting') return release
  return moderator.call(moderation.decideRelease, {
    params: { releaseId: release.id },
    body: { decision: 'publish' },
  })
}

beforeAll(async () => {
  api = await startTestApi({ LIMIT_PROJECT_CHANGES: '0', LIMIT_POWER: '0' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  author = await signUpAuthor(api, { 'marketplace.project-create-without-suffix': true })
  moderator = await api.signUp({ admin: true })
  stranger = await api.signUp()
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 20_000)
  rent = async () => (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  serverId = await rent()
  for (const [name, more] of [
    ['Greeter', {}],
    ['Nether lib', {}],
    ['Fabric only', { project_type: 'mod' }],
    ['Signs', { project_type: 'config' }],
    ['Waves', { project_type: 'config', labels: ['datapack'] }],
    ['Island', { project_type: 'map' }],
    ['Bad one', {}],
  ] as const)
    await makeProject(author, name, more)
  await publish('greeter', '1.0.0')
  await publish('nether-lib', '1.0.0', { file: zip({ 'index.js': 'module.exports = () => {}' }) })
  await publish('fabric-only', '1.0.0', {
    file: zip({ 'fabric.mod.json': '{"id":"fabric-only","version":"1.0.0"}' }),
    name: 'fabric-only.jar',
    loaders: ['fabric'],
  })
  await publish('signs', '1.0.0', { file: zip({ 'signs.yml': 'text: ours\n', 'motd/long.txt': 'ours' }) })
  await publish('waves', '1.0.0', { file: zip({ 'pack.mcmeta': '{}' }), name: 'waves.zip', loaders: ['vanilla'] })
  await publish('island', '1.0.0', { file: zip({ 'island-1/level.dat': 'x', 'island-1/region/r.0.0.mca': 'y' }) })
  await publish('bad-one', '1.0.0', { file: zip({ 'index.js': 'module.exports = () => {} // bad' }) })
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const params = () => ({ id: serverId })
type InstallBody = Parameters<typeof owner.call<typeof packages.installPackages>>[1]['body']
const install = (body: InstallBody) => owner.call(packages.installPackages, { params: params(), body })
type RemoveBody = Parameters<typeof owner.call<typeof packages.uninstallPackages>>[1]['body']
const remove = (body: RemoveBody) => owner.call(packages.uninstallPackages, { params: params(), body })

async function end(answer: object, server = serverId): Promise<Operation> {
  const id = Object.entries(answer).find(([key]) => key.endsWith('package_process_id'))?.[1] as string
  for (const deadline = Date.now() + 90_000; ;) {
    const operation = await owner.call(processes.getProcess, { params: { id: server, process_id: id } })
    if (isOver(operation.state)) return operation
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
    await delay(50)
  }
}
const done = async (answer: object) => expect(await end(answer)).toMatchObject({ state: 'done' })
const list = async () =>
  (await owner.call(packages.listPackages, { params: params() })).map(
    ({ Manifest: { name, packageVersion }, InstalledBySelector: by }) =>
      `${name} ${packageVersion}${by ? ' asked' : ''}`,
  )
async function readFile(path: string): Promise<string | undefined> {
  const query = new URLSearchParams({ path })
  const answer = await fetch(`${api.origin}/api/v1/servers/${serverId}/files/content?${query}`, {
    headers: { cookie: owner.cookie() },
  })
  return answer.ok ? answer.text() : undefined
}
async function writeFile(path: string, text: string): Promise<void> {
  const query = new URLSearchParams({ path })
  const answer = await fetch(`${api.origin}/api/v1/servers/${serverId}/files/content?${query}`, {
    method: 'PUT',
    headers: { cookie: owner.cookie(), 'content-type': 'application/octet-stream', 'if-none-match': '*' },
    body: text,
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** What a player reads who comes in just now. */
async function readGreeting(username: string): Promise<string> {
  await untilStatus(owner, serverId, isUp)
  const placement = await worker.fleet.cluster.inspect(serverId)
  if (placement.state !== 'running') throw new Error('not placed')
  const { host, port } = placement.game
  const bot = await joinServer({ host, gameHost: host, gamePort: port, username })
  try {
    return await new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(''), 20_000)
      bot.on('message', (message) => {
        if (!/greeter/.test(message.toString())) return
        clearTimeout(timer)
        resolve(message.toString())
      })
    })
  } finally {
    bot.quit()
  }
}

async function search(query: Record<string, string>, caller: Caller | null = owner): Promise<PackageSearchLine[]> {
  const answer = await fetch(`${api.origin}/api/v1/packages/search?${new URLSearchParams(query)}`, {
    headers: caller === null ? {} : { cookie: caller.cookie() },
  })
  if (answer.status !== 200) throw new Error(`${answer.status}`)
  expect(answer.headers.get('content-type')).toMatch('application/x-ndjson')
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PackageSearchLine)
}
const hitsOf = (lines: PackageSearchLine[]) => lines.flatMap((line) => ('hit' in line ? [line.hit] : []))

describe('from an author to a player', () => {
  test('what fits the server is found first, also with a typo', async () => {
    const lines = await search({ server: serverId })
    expect(lines.at(-1)).toEqual({ end: true })
    const hits = hitsOf(lines)
    const fits = hits.map((hit) => hit.fits)
    expect(fits.lastIndexOf(true)).toBeLessThan(fits.findIndex((fit) => fit !== true))
    expect(hits.find(({ name }) => name === 'greeter')).toMatchObject({
      source: 'wakestone',
      fits: true,
      installed: null,
    })
    expect(hits.find(({ name }) => name === 'fabric-only')).toMatchObject({ fits: false })
    expect(hitsOf(await search({ query: 'greetr', server: serverId }))[0]).toMatchObject({ name: 'greeter' })
    await expect(search({ server: serverId }, stranger)).rejects.toThrow('404')
    await expect(search({ server: serverId }, null)).rejects.toThrow('404')
  })

  test('it is installed on the running server, and greets a player', async () => {
    await publish('greeter', '1.1.0', { release_type: 'latest' })
    const preview = (await install({ packages: ['greeter'], dry_run: true })) as PackagePreview
    expect(preview).toMatchObject({
      is_possible: true,
      obstacle: null,
      added: [{ name: 'greeter', version: '1.0.0', source: 'wakestone', asked: true, bytes: greeter('1.0.0').length }],
      restarts: true,
      plugins: { count: 1 },
    })
    await done(await install({ packages: ['greeter'] }))
    expect(await list()).toEqual(['greeter 1.0.0 asked'])
    expect(await readGreeting('Ada')).toBe('greeter 1.0.0 greets Ada')
  })

  test('a newer release is offered and taken; the way back is one step', async () => {
    await publish('greeter', '2.0.0')
    const { updates, checked_at } = await owner.call(packages.listPackageUpdates, { params: params() })
    expect(updates).toMatchObject([{ name: 'greeter', from: '1.0.0', to: '2.0.0', asked: true }])
    expect(checked_at).not.toBeNull()
    await done(await owner.call(packages.takePackageUpdates, { params: params(), body: {} }))
    expect(await list()).toEqual(['greeter 2.0.0 asked'])
    const { locks } = await owner.call(packages.listPackageLocks, { params: params() })
    expect(locks.map(({ cause, is_current }) => [cause, is_current])).toEqual([
      ['update', true],
      ['install', false],
      [null, false],
    ])
    expect(locks[0]).toMatchObject({
      changed: [{ name: 'greeter', from: '1.0.0', to: '2.0.0' }],
      executor: { id: owner.user.id },
    })
    const back = { id: serverId, lock_id: locks[1]!.id }
    expect(await owner.call(packages.rollBackPackages, { params: back, body: { dry_run: true } })).toMatchObject({
      is_possible: true,
      changed: [{ from: '2.0.0', to: '1.0.0' }],
      warnings: [{ kind: 'downgrade', name: 'greeter' }],
    })
    await done(await owner.call(packages.rollBackPackages, { params: back, body: {} }))
    expect(await readGreeting('Bob')).toBe('greeter 1.0.0 greets Bob')
    const other = { id: serverId, lock_id: '00000000-0000-4000-8000-000000000000' }
    expect(await outcomeOf(owner.call(packages.rollBackPackages, { params: other, body: {} }))).toBe(
      'resource_not_found',
    )
  })

  test('it is counted as installed and used, and its owner reads what was done', async () => {
    await countUses(api.context.db)
    const { rows } = await sql<{ engine: string; version: string; value: number }>`
      select engine, version, value from project_metrics join projects on projects.id = project_id
      where slug = 'greeter' and metric = 'installs'`.execute(api.context.db)
    expect(rows).toEqual([{ engine: 'flying-squid', version: '1.0.0', value: 1 }])
    const { data } = await owner.call(routes.listServerEvents, {
      params: params(),
      query: { action: 'SERVER_INSTALL_PACKAGE' },
    })
    const told = data.filter(({ data: facts }) => 'process_id' in (facts ?? {}))
    expect(told.map(({ data: facts }) => (facts as { package_label: string }).package_label)).toEqual([
      'rollback',
      'update',
      'install',
    ])
    const whole = await owner.call(getEvent, { params: { id: told.at(-1)!.id } })
    expect(whole).toMatchObject({
      data: { package_name: 'greeter', selectors: [{ name: 'greeter' }], force: false, install_deps: true },
    })
  })

  test('it goes with its data into the trash, and nothing of it is left where it was', async () => {
    expect(await readFile('plugins/greeter/guests.txt')).toBe('Ada\nBob\n')
    expect(await remove({ packages: [{ name: 'greeter' }], delete_data: true, dry_run: true })).toMatchObject({
      is_possible: true,
      removed: [{ name: 'greeter' }],
      data_folders: ['plugins/greeter'],
    })
    await done(await remove({ packages: ['greeter'], delete_data: true }))
    expect(await list()).toEqual([])
    expect(await readFile('plugins/greeter/guests.txt')).toBeUndefined()
    const { entries } = await owner.call(files.listTrash, { params: params() })
    expect(entries.map(({ path }) => path)).toContain('plugins/greeter')
    await untilStatus(owner, serverId, isUp)
  })
})

describe('where things go', () => {
  test('a configuration leaves what its owner has written, and lies beside it', async () => {
    await writeFile('signs.yml', 'text: mine\n')
    await done(await install({ packages: ['signs'] }))
    expect(await readFile('signs.yml')).toBe('text: mine\n')
    expect(await readFile('signs.yml.dist')).toBe('text: ours\n')
    expect(await readFile('motd/long.txt')).toBe('ours')
  })

  test('a data pack goes to the world that is played, a map beside it', async () => {
    await done(await install({ packages: ['waves', 'island'] }))
    expect(await readFile('world/datapacks/waves.zip')).toBeDefined()
    expect(await readFile('island/level.dat')).toBe('x')
    await done(await remove({ packages: ['signs', 'waves', 'island'] }))
    expect(await readFile('world/datapacks/waves.zip')).toBeUndefined()
    // A world is its owner's once it is there.
    expect(await readFile('island/level.dat')).toBe('x')
    expect(await readFile('signs.yml')).toBe('text: mine\n')
  })
})

describe('every call answers as it should', () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  test.each<[string, () => Promise<unknown>, object | string]>([
    ['nothing of that name', () => install({ packages: ['no-such-thing'] }), 'resource_not_found'],
    ['no selector', () => install({ packages: ['../etc/passwd'] }), 'invalid_selector'],
    ['an engine as a package', () => install({ packages: ['paper'] }), 'module_parameter_not_allowed'],
    [
      'what nobody provides',
      () => install({ packages: ['provides:economy'] }),
      'modules_not_implementing_given_interface',
    ],
    ['what another engine loads', () => install({ packages: ['fabric-only'] }), 'module_is_not_supported'],
    [
      'what is not installed, replaced',
      () => install({ replace_installed_with: [{ from: 'x', to: 'greeter' }] }),
      'resource_not_found',
    ],
    ['what is not installed, removed', () => remove({ packages: ['greeter'] }), 'resource_not_found'],
    [
      'an update of what is not installed',
      () => owner.call(packages.takePackageUpdates, { params: params(), body: { packages: ['greeter'] } }),
      'resource_not_found',
    ],
    ['another server', () => owner.call(packages.listPackages, { params: { id: unknown } }), 'server_id_not_found'],
    ['a stranger who looks', () => stranger.call(packages.listPackages, { params: params() }), 'server_id_not_found'],
    [
      'a stranger who installs',
      () => stranger.call(packages.installPackages, { params: params(), body: { packages: ['greeter'] } }),
      'server_id_not_found',
    ],
    [
      'a time zone that is none',
      () =>
        owner.call(packages.changePackageUpdateRule, {
          params: params(),
          body: { mode: 'take', from_hour: 3, to_hour: 6, time_zone: 'Moon/Sea', only_empty: true },
        }),
      'invalid_request',
    ],
    [
      'rules of a server, by its owner',
      () =>
        owner.call(packages.changePackageRules, {
          params: params(),
          body: { max_plugins: null, blacklisted_packages: [], allowed_packages: null },
        }),
      'insufficient_capabilities',
    ],
    [
      'a project of nobody',
      () => owner.call(packages.getPackageProject, { params: { name: 'no-such-thing' } }),
      'resource_not_found',
    ],
  ])('%s', async (_name, call, code) => {
    expect(await outcomeOf(call())).toBe(code)
  })

  test('a project is told with its releases, and which of them fit', async () => {
    const told = await owner.call(packages.getPackageProject, {
      params: { name: 'greeter' },
      query: { server: serverId },
    })
    expect(told).toMatchObject({ name: 'greeter', source: 'wakestone', fits: true, kind: 'plugin' })
    expect(told.releases.map(({ version, channel, fits }) => [version, channel, fits])).toEqual([
      ['2.0.0', 'stable', true],
      ['1.1.0', 'latest', true],
      ['1.0.0', 'stable', true],
    ])
  })

  test('limits of a server are kept, by count and by name', async () => {
    const rule = (body: object) =>
      moderator.call(packages.changePackageRules, {
        params: params(),
        body: { max_plugins: null, blacklisted_packages: [], allowed_packages: null, ...body },
      })
    await rule({ max_plugins: 1 })
    expect(await refusalOf(install({ packages: ['greeter', 'nether-lib'] }))).toMatchObject({
      error: 'too_many_plugins_on_server',
      fields: { limit: 1, count: 2 },
    })
    await rule({ blacklisted_packages: ['nether-lib'] })
    expect(await refusalOf(install({ packages: ['nether-lib'] }))).toMatchObject({
      error: 'module_is_not_supported',
      fields: { reason: 'not_allowed' },
    })
    await rule({ allowed_packages: ['greeter'] })
    expect(await install({ packages: ['nether-lib'], dry_run: true })).toMatchObject({ obstacle: 'not_allowed' })
    expect(await owner.call(packages.getPackageRules, { params: params() })).toMatchObject({
      allowed_packages: ['greeter'],
    })
    await rule({})
  })

  test('what is needed is refused, by wish; what does not fit is forced, by wish', async () => {
    await makeProject(author, 'Needy')
    await publish('needy', '1.0.0', {
      file: zip({ 'index.js': 'module.exports = () => {}  // needy' }),
      manifest: { name: 'needy', packageVersion: '1.0.0', depends: ['nether-lib'] },
    })
    expect(await refusalOf(install({ packages: ['needy'], install_deps: false }))).toMatchObject({
      error: 'kloceg_install_failed',
      fields: { reason: 'needs_others', packages: 'nether-lib' },
    })
    expect(await install({ packages: ['fabric-only'], force: true, dry_run: true })).toMatchObject({
      is_possible: true,
      is_forced: true,
      added: [{ name: 'fabric-only' }],
    })
  })

  test('what is needed comes along, stays as long as it is, and goes with what is replaced', async () => {
    await done(await install({ packages: ['needy'] }))
    expect((await list()).toSorted()).toEqual(['needy 1.0.0 asked', 'nether-lib 1.0.0'])
    expect(await refusalOf(remove({ packages: ['nether-lib'] }))).toMatchObject({
      error: 'kloceg_uninstall_failed',
      fields: { reason: 'needed_by_others', packages: 'needy' },
    })
    await done(await install({ replace_installed_with: [{ from: 'needy', to: 'greeter' }] }))
    expect(await list()).toEqual(['greeter 2.0.0 asked'])
    await done(await remove({ packages: ['greeter'] }))
  })

  test('a package is its project: neither its name nor what it provides is another’s', async () => {
    const file = zip({ 'index.js': '// liar' })
    const body = (manifest: object) => ({
      version: '9.0.0',
      game_versions: ['1.21.4'],
      loaders: ['flying-squid' as const],
      artifacts: [{ name: 'liar.zip', size: file.length, sha256: sha256(file) }],
      manifest: { packageVersion: '9.0.0', ...manifest } as never,
    })
    const slug = 'nether-lib'
    expect(
      await outcomeOf(author.byKey(releases.createRelease, { params: { slug }, body: body({ name: 'greeter' }) })),
    ).toBe('invalid_request')
    const refused = await publish(slug, '9.0.0', {
      file,
      manifest: { name: slug, packageVersion: '9.0.0', provides: [{ name: 'minecraft', version: '9' }] },
    })
    expect(refused).toMatchObject({ state: 'refused' })
    expect(refused.findings.map(({ rule }) => rule)).toContain('name_reserved')
  })

  test('a file is handed out to the server that it is signed for, and to nobody else', async () => {
    const { rows } = await sql<{ sha256: string }>`select sha256 from release_artifacts limit 1`.execute(api.context.db)
    const plain = `${api.origin}/artifacts/packages/${rows[0]!.sha256}`
    expect((await fetch(plain)).status).toBe(403)
    expect((await fetch(`${plain}?until=9999999999&server=x&signature=${'0'.repeat(64)}`)).status).toBe(403)
  })

  test('files of a server become a release', async () => {
    const body = { project: 'signs', paths: ['signs.yml'], version: '2.0.0', release_type: 'private' as const }
    const call = (caller: Pick<Caller, 'call'>) => caller.call(releases.createPackage, { params: params(), body })
    expect(await outcomeOf(call(stranger))).toBe('server_id_not_found')
    await makeMember()
    const { key } = await owner.call(createApiKey, {
      params: { id: owner.user.id },
      body: { name: 'release', scopes: ['server.manage'], expires_at: null },
    })
    const byKey = createApiClient((path, init) =>
      fetch(`${api.origin}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
    )
    // Whoever publishes by themselves has a second factor.
    expect(await outcomeOf(call(owner))).toBe('second_factor_missing')
    const begun = await byKey(releases.createPackage, { params: params(), body })
    await done(begun)
    await inspectRelease(api.context, begun.release_id)
    const release = await owner.call(releases.getRelease, { params: { slug: 'signs', releaseId: begun.release_id } })
    expect(release).toMatchObject({ version: '2.0.0', release_type: 'private', state: 'published' })
    expect(await outcomeOf(byKey(releases.createPackage, { params: params(), body }))).toBe('resource_already_exists')
    const { data } = await owner.call(routes.listServerEvents, {
      params: params(),
      query: { action: 'SERVER_PACKAGE_CREATE' },
    })
    expect(data[0]).toMatchObject({ success: true, data: { package_slug: 'signs', version: '2.0.0' } })
    // Private releases come to those who work on the project, and to nobody else.
    expect(await install({ packages: ['signs#private'], dry_run: true })).toMatchObject({
      is_possible: true,
      added: [{ name: 'signs', version: '2.0.0' }],
    })
  })
  async function makeMember(): Promise<void> {
    const { db } = api.context
    await sql`insert into project_members (project_id, user_id, role)
      select id, ${owner.user.id}, 'maintainer' from projects where slug = 'signs'`.execute(db)
  }
})

describe('a release that turns out to be malice', () => {
  test('goes from every server that has it within a minute, and its owner is told', async () => {
    const others = [await rent(), await rent()]
    for (const id of others) {
      await untilStatus(owner, id, isUp, 120_000)
      const answer = await owner.call(packages.installPackages, { params: { id }, body: { packages: ['bad-one'] } })
      expect(await end(answer, id)).toMatchObject({ state: 'done' })
    }
    await done(await install({ packages: ['bad-one', 'nether-lib'] }))
    const file = zip({ 'index.js': 'module.exports = () => {} // bad' })
    const began = Date.now()
    const told = await moderator.call(moderation.quarantineArtifact, {
      body: { sha256: sha256(file), reason: 'Steals sessions' },
    })
    expect(told.servers.map(({ id }) => id).toSorted()).toEqual([serverId, ...others].toSorted())
    await vi.waitUntil(() => isolateEverywhere(worker.context), { timeout: 30_000, interval: 500 })
    for (const id of [serverId, ...others])
      for (;;) {
        const all = await owner.call(processes.listProcesses, { params: { id } })
        const one = all.find(({ kind }) => kind === 'package_quarantine')
        if (one !== undefined && isOver(one.state)) {
          expect(one).toMatchObject({ state: 'done', about: { packages: ['bad-one'] } })
          break
        }
        await delay(100)
      }
    expect(Date.now() - began).toBeLessThan(60_000)
    for (const id of others) expect(await owner.call(packages.listPackages, { params: { id } })).toEqual([])
    expect(await list()).toEqual(['nether-lib 1.0.0 asked'])
    await untilStatus(owner, serverId, isUp)
    expect(await readFile('plugins/bad-one/index.js')).toBeUndefined()
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id } } as never)
    expect(notifications.map(({ type }) => type)).toContain('PACKAGE_QUARANTINED')
    expect(await refusalOf(install({ packages: ['bad-one'] }))).toMatchObject({ error: 'resource_not_found' })
    // Nor by the way back.
    const { locks } = await owner.call(packages.listPackageLocks, { params: params() })
    const before = locks.find(({ packages: had }) => had.some(({ name }) => name === 'bad-one'))!
    expect(
      await refusalOf(
        owner.call(packages.rollBackPackages, { params: { id: serverId, lock_id: before.id }, body: {} }),
      ),
    ).toMatchObject({ error: 'kloceg_install_failed', fields: { reason: 'gone' } })
  })
})
