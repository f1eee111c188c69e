/** The sources of others against simulators with the habits of the real ones. */
import { createHash } from 'node:crypto'
import { readSettings } from '@wakestone/kit/settings'
import { solve } from '@wakestone/packager/solve/solve'
import { MAX_RANGE_LENGTH } from '@wakestone/packager/versions/range'
import { type Catalogues, startCatalogues } from '@wakestone/simulators/catalogues'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatherCandidates } from '../gather.ts'
import { createForeignSources } from '../registry.ts'
import { type Source, type SourceContext, type SourceQuery, SourceUnavailableError } from '../source.ts'
import { createAsking } from './asking.ts'
import { gameRange, isPlainName, readableVersion } from './manifest.ts'
import { z } from 'zod'

let catalogues: Catalogues
let sources: Record<string, Source>
const { signal } = new AbortController()

const paper: SourceContext = {
  game: 'minecraft-java',
  engine: 'paper',
  loaders: ['paper', 'spigot', 'bukkit', 'vanilla'],
  gameVersion: '1.21.4',
  userId: null,
}
const fabric: SourceContext = { ...paper, engine: 'fabric', loaders: ['fabric', 'vanilla'] }
const everything: SourceQuery = {
  text: '',
  kinds: undefined,
  loaders: undefined,
  gameVersion: undefined,
  language: 'en',
}

beforeAll(async () => {
  catalogues = await startCatalogues()
})
afterAll(() => catalogues.close())
beforeEach(() => {
  catalogues.behave()
  sources = open()
})

function open(env: Record<string, string> = {}) {
  const settings = readSettings({ ...catalogues.settings, ...env })
  return Object.fromEntries(
    createForeignSources({ settings, logger: { warn() {} } }).map((source) => [source.id, source]),
  )
}
const versionsOf = async (source: string, name: string, context = paper) =>
  (await sources[source]!.versions(`${source}:${name}`, context, signal)).map(({ manifest, channel }) => ({
    manifest,
    channel,
  }))

test('an operator chooses among them; CurseForge wants a key', () => {
  expect(Object.keys(sources)).toEqual(['modrinth', 'hangar', 'curseforge'])
  expect(Object.keys(open({ CURSEFORGE_API_KEY: '' }))).toEqual(['modrinth', 'hangar'])
  expect(Object.keys(open({ PACKAGE_SOURCES: 'none' }))).toEqual([])
  expect(Object.keys(open({ PACKAGE_SOURCES: 'hangar' }))).toEqual(['hangar'])
})

describe('Modrinth', () => {
  test('a plugin is one although the catalogue calls it a mod', async () => {
    const { hits } = await sources['modrinth']!.search(
      { ...everything, kinds: ['plugin'] },
      { offset: 0, limit: 20 },
      signal,
    )
    expect(hits.map(({ title, kind }) => [title, kind])).toEqual([
      ['LuckPerms', 'plugin'],
      ['Vaults', 'plugin'],
      ['Chest Shops', 'plugin'],
      ['Map Tiles', 'plugin'],
    ])
    const packs = await sources['modrinth']!.search(
      { ...everything, kinds: ['datapack'] },
      { offset: 0, limit: 20 },
      signal,
    )
    expect(packs.hits.map(({ title, kind }) => [title, kind])).toEqual([['Less Rain', 'datapack']])
  })

  test('pages follow each other although offsets are rounded down', async () => {
    const query = { ...everything, kinds: ['plugin'] as const }
    const first = await sources['modrinth']!.search(query, { offset: 0, limit: 3 }, signal)
    const second = await sources['modrinth']!.search(query, { offset: 3, limit: 3 }, signal)
    expect([first.hasMore, second.hasMore, first.total]).toEqual([true, false, 4])
    expect(new Set([...first.hits, ...second.hits].map(({ name }) => name)).size).toBe(4)
  })

  test('releases of other loaders are left out, the primary file is taken, and it is what its hash says', async () => {
    const found = await versionsOf('modrinth', 'LuckPrmA')
    expect(found.map(({ manifest }) => manifest.contentVersion)).toEqual(['v5.5.0-bukkit', 'v5.4.9-bukkit'])
    const [{ manifest } = { manifest: undefined }] = found
    expect(manifest).toMatchObject({ subdir: 'plugins', packageVersion: '5.5.0' })
    const [file] = manifest!.downloadFiles
    expect(file!.name).toBe('luckperms-v5.5.0-bukkit.jar')
    const bytes = Buffer.from(await (await fetch(file!.url)).arrayBuffer())
    expect(file!.hash).toBe(`sha512:${createHash('sha512').update(bytes).digest('hex')}`)
    expect((await versionsOf('modrinth', 'LuckPrmA', fabric)).map(({ manifest: one }) => one.subdir)).toEqual(['mods'])
  })

  test('dependencies: exact ones by their release, optional ones offered, what is gone passed over', async () => {
    const [{ manifest } = { manifest: undefined }] = (await versionsOf('modrinth', 'ShopChst')).filter(
      ({ channel }) => channel === 'stable',
    )
    expect(manifest!.depends).toEqual([
      { name: 'modrinth:VaultAbc' },
      { name: 'modrinth:LuckPrmA', labels: { release: 'lpBuk550' } },
      { provides: 'minecraft', expr: '=1.21.4' },
    ])
    expect(manifest!.recommends).toEqual([{ name: 'modrinth:MapTiles' }])
    expect(manifest!.conflicts).toEqual([{ name: 'modrinth:OldShops' }])
    expect(manifest!.provides).toEqual([{ name: 'modrinth:TinyLibr', version: '2.1.0' }])
  })

  test('who asks by the slug gets the project', async () => {
    const [{ manifest } = { manifest: undefined }] = await versionsOf('modrinth', 'vaults')
    expect(manifest).toMatchObject({ name: 'modrinth:VaultAbc', provides: [{ name: 'modrinth:vaults' }] })
  })

  test('what is not there is a 404 without a body', async () => {
    expect(await versionsOf('modrinth', 'nothing-here')).toEqual([])
    expect(await sources['modrinth']!.project('nothing-here', paper, signal)).toBeUndefined()
  })

  test('titles of many, under what each was asked for, in one call', async () => {
    const before = catalogues.requests.length
    const heads = await sources['modrinth']!.heads!(['vaults', 'ShopChst', 'nothing-here'], signal)
    expect(heads).toMatchObject([
      { id: 'vaults', kind: 'plugin' },
      { id: 'ShopChst', kind: 'plugin', icon_url: null },
    ])
    expect(catalogues.requests.length - before).toBe(1)
  })

  test('for people: releases with what is new, and links', async () => {
    const project = await sources['modrinth']!.project('chest-shops', paper, signal)
    expect(project).toMatchObject({
      name: 'modrinth:ShopChst',
      kind: 'plugin',
      license: 'MIT License',
      links: [{ kind: 'source' }],
      icon_url: null,
    })
    expect(project!.releases.map(({ version, channel }) => [version, channel])).toEqual([
      ['2.2.0-beta.1', 'latest'],
      ['2.1.0', 'stable'],
    ])
  })

  test('one hash may be of several versions', async () => {
    const [{ manifest } = { manifest: undefined }] = await versionsOf('modrinth', 'VaultAbc')
    const sha512 = manifest!.downloadFiles[0]!.hash.slice('sha512:'.length)
    const answer = await fetch(`${catalogues.settings.MODRINTH_URL}/version_files/update_many`, {
      method: 'POST',
      headers: { 'user-agent': 'test (test@example.org)' },
      body: JSON.stringify({ hashes: [sha512] }),
    })
    expect(await answer.json()).toMatchObject({ [sha512]: [{ id: 'vault170' }] })
  })
})

describe('Hangar', () => {
  test('releases with their dependencies; what only lies elsewhere is for people', async () => {
    const found = await versionsOf('hangar', 'Maintenance')
    expect(found.map(({ manifest, channel }) => [manifest.packageVersion, channel])).toEqual([
      ['4.4.0-SNAPSHOT', 'latest'],
      ['4.3.0', 'stable'],
      ['4.2.1', 'stable'],
    ])
    expect(found[1]!.manifest.depends).toEqual([
      { name: 'hangar:Helper' },
      { provides: 'minecraft', expr: '=1.21.4 || =1.20.4' },
    ])
    expect(found[1]!.manifest.recommends).toEqual([{ name: 'hangar:Extras' }])
    expect(await versionsOf('hangar', 'Outside')).toEqual([])
    const outside = await sources['hangar']!.project('Outside', paper, signal)
    expect(outside!.releases[0]).toMatchObject({
      only_link: 'https://hangar.papermc.io/somebody/Outside/versions/1.0.0',
    })
  })

  test('it is found by words, and has nothing for mods', async () => {
    const search = (query: Partial<SourceQuery>) =>
      sources['hangar']!.search({ ...everything, ...query }, { offset: 0, limit: 50 }, signal)
    expect((await search({ text: 'library' })).hits.map(({ name }) => name)).toEqual(['hangar:Helper'])
    expect((await search({ loaders: ['fabric'] })).hits).toEqual([])
  })
})

describe('CurseForge', () => {
  test('names of loaders stand among the versions of the game', async () => {
    const found = await versionsOf('curseforge', '238222', fabric)
    expect(found.map(({ manifest }) => manifest.downloadFiles[0]!.name)).toEqual(['itemlists-fabric-1.21.4-19.2.1.jar'])
    expect(found[0]!.manifest).toMatchObject({
      subdir: 'mods',
      depends: [{ name: 'curseforge:306612' }, { provides: 'minecraft', expr: '=1.21.4' }],
      recommends: [{ name: 'curseforge:238223' }],
      conflicts: [{ name: 'curseforge:999' }],
    })
  })

  test('what its author lets nobody else hand out is for people to fetch', async () => {
    expect(await versionsOf('curseforge', '238223', fabric)).toEqual([])
    const project = await sources['curseforge']!.project('238223', fabric, signal)
    expect(project).toMatchObject({ only_link: true })
    expect(project!.releases[0]!.only_link).toMatch(/closed-mod\/files\/6200000$/)
  })

  test('files are handed out by the key alone, so they come through us, and nothing else does', async () => {
    const [{ manifest } = { manifest: undefined }] = await versionsOf('curseforge', '31585')
    const [file] = manifest!.downloadFiles
    expect((await fetch(file!.url)).status).toBe(401)
    const { through } = sources['curseforge']!
    expect(through!.covers(file!.url)).toBe(true)
    expect(through!.covers('https://example.org/x.jar')).toBe(false)
    expect(through!.covers('https://forgecdn.net.example.org/x.jar')).toBe(false)
    const parts: Uint8Array[] = []
    for await (const part of await through!.open(file!.url, signal)) parts.push(part)
    expect(file!.hash).toBe(`sha1:${createHash('sha1').update(Buffer.concat(parts)).digest('hex')}`)
    await expect(through!.open('https://example.org/x.jar', signal)).rejects.toThrow(SourceUnavailableError)
  })

  test('worlds are unpacked, shaders are none of ours', async () => {
    const [{ manifest } = { manifest: undefined }] = await versionsOf('curseforge', '500001')
    expect(manifest).toMatchObject({ labels: { kind: 'map' }, downloadFiles: [{ unpack: 'zip' }] })
    expect(await versionsOf('curseforge', '600001')).toEqual([])
  })

  test('a wrong key is a source that is away', async () => {
    sources = open({ CURSEFORGE_API_KEY: 'another' })
    await expect(versionsOf('curseforge', '31585')).rejects.toThrow(SourceUnavailableError)
  })
})

describe('a source that misbehaves', () => {
  test.each([
    [{ status: 500 }, 'status 500'],
    [{ body: '<html>' }, 'no JSON'],
    [{ body: { hits: 'none' } }, 'unknown form'],
    [{ body: Buffer.alloc(9 * 1024 * 1024, ' ') }, 'answer too large'],
  ])('%o: says so', async (answer, reason) => {
    catalogues.misbehave(/search|projects|mods/, answer)
    for (const source of Object.values(sources))
      await expect(source.search(everything, { offset: 0, limit: 20 }, signal)).rejects.toThrow(reason)
  })

  test('429: it is left alone for as long as it says', async () => {
    let time = 0
    const headers = { 'user-agent': 'test (test@example.org)' }
    const base = catalogues.settings.MODRINTH_URL
    const asking = createAsking({ source: 'modrinth', base, headers, now: () => time })
    const ask = () => asking.get('/project/vaults', z.object({ id: z.string() }), signal)
    catalogues.misbehave(/vaults/, { status: 429, headers: { 'x-ratelimit-reset': '30' }, body: {} })
    await expect(ask()).rejects.toThrow('asked too often')
    catalogues.behave()
    const before = catalogues.requests.length
    time = 29_000
    await expect(ask()).rejects.toThrow('asked too often')
    expect(catalogues.requests.length).toBe(before)
    time = 31_000
    expect(await ask()).toEqual({ id: 'VaultAbc' })
    // Remembered, and later asked for by its validator.
    time += 1000
    expect(await ask()).toEqual({ id: 'VaultAbc' })
    expect(catalogues.requests.length).toBe(before + 1)
    time += 600_000
    expect(await ask()).toEqual({ id: 'VaultAbc' })
    expect(catalogues.requests.length).toBe(before + 2)
  })

  test('takes nothing else with it', async () => {
    catalogues.misbehave(/hangar/, { status: 503 })
    const wanted = [{ name: 'modrinth:VaultAbc' }, { name: 'hangar:Maintenance' }]
    const { candidates, unavailable } = await gatherCandidates(Object.values(sources), {
      wanted,
      known: [],
      context: paper,
      signal,
    })
    expect(unavailable).toEqual(['hangar'])
    expect(candidates.map(({ manifest }) => manifest.name)).toEqual(['modrinth:VaultAbc'])
  })

  test('a file of another host is no candidate', async () => {
    const version = {
      id: 'x',
      project_id: 'Evil',
      name: 'x',
      version_number: '1.0.0',
      version_type: 'release',
      loaders: ['paper'],
      game_versions: ['1.21.4'],
      date_published: '2026-01-01T00:00:00Z',
      dependencies: [],
      files: [
        {
          hashes: { sha512: 'a'.repeat(128), sha1: 'b' },
          url: 'https://evil.example/x.jar',
          filename: 'x.jar',
          primary: true,
          size: 1,
        },
      ],
    }
    catalogues.misbehave(/Evil/, { body: [version] })
    expect(await versionsOf('modrinth', 'Evil')).toEqual([])
    const climbing = { ...version, files: [{ ...version.files[0], url: `${catalogues.url}/x`, filename: '../x.jar' }] }
    sources = open()
    catalogues.misbehave(/Evil/, { body: [climbing] })
    expect(await versionsOf('modrinth', 'Evil')).toEqual([])
  })
})

test('a plugin with all that it needs is solved from two releases up', async () => {
  const wanted = [{ name: 'modrinth:ShopChst' }]
  const { candidates } = await gatherCandidates(Object.values(sources), { wanted, known: [], context: paper, signal })
  const game = candidates[0]!.manifest
  const ground = {
    ...game,
    name: 'paper',
    ManifestHash: 'ground',
    depends: [],
    conflicts: [],
    recommends: [],
    provides: [{ name: 'minecraft', version: '1.21.4' }],
    labels: { kind: 'engine' },
  }
  const { isSolved, targets_manifests: targets } = solve({
    candidates: [...candidates, { manifest: ground, channel: 'stable', withdrawn: false }],
    wishes: [
      { selector: { name: 'paper' }, of: 'engine' },
      { selector: wanted[0]!, of: 'owner' },
    ],
    locked: [],
  })
  expect(isSolved).toBe(true)
  expect(targets.map(({ name, contentVersion }) => `${name} ${contentVersion}`).toSorted()).toEqual([
    'modrinth:LuckPrmA v5.5.0-bukkit',
    'modrinth:ShopChst 2.1.0',
    'modrinth:VaultAbc 1.7.0',
    expect.stringContaining('paper'),
  ])
})

test.each([
  ['1.2.3', '1.2.3'],
  ['v5.5.0-bukkit', '5.5.0'],
  ['2.0.0-beta.1', '2.0.0-beta.1'],
  ['mc1.21.4-0.6.9-fabric', '0.6.9'],
  ['fabric-2.1.0', '2.1.0'],
  ['0.119.5+1.21.4', '0.119.5+1.21.4'],
  ['Release 7', '7'],
  ['final', 'final'],
])('the version %s is read as %s', (written, read) => {
  expect(readableVersion(written)).toBe(read)
})

test('names of files are parts of paths, and ranges hold as many games as they can', () => {
  for (const name of ['../x', 'a/b', 'a\\b', '.hidden', 'con.jar', 'x\u0000.jar', 'a:b'])
    expect(isPlainName(name), name).toBe(false)
  expect(isPlainName('A Castle 1.2 (new).zip')).toBe(true)
  const many = Array.from({ length: 1000 }, (_, place) => `1.${place}.1`)
  const range = gameRange(many)!
  expect(range.length).toBeLessThanOrEqual(MAX_RANGE_LENGTH)
  expect(range).toMatch(/^=1\.999\.1 \|\| =1\.998\.1/)
  expect(gameRange(['26w14a'])).toBeNull()
})
