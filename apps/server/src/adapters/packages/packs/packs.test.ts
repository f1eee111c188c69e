/** Packs of other catalogues: what of them comes onto a server, and what hostile ones are refused for. */
import { createHash } from 'node:crypto'
import { readSettings } from '@wakestone/kit/settings'
import type { Manifest } from '@wakestone/packager/manifest'
import { PackError } from '@wakestone/packager/packs/pack'
import { readCurseForgeManifest } from '@wakestone/packager/packs/curseforge'
import { readModrinthIndex } from '@wakestone/packager/packs/modrinth'
import { type Catalogues, startCatalogues } from '@wakestone/simulators/catalogues'
import { makeZip } from '@wakestone/simulators/stand-ins'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createForeignSources } from '../registry.ts'
import { type Source, type SourceContext, SourceUnavailableError } from '../source.ts'
import { createPackLists } from './pack-lists.ts'
import { choosePacks } from './pack-releases.ts'

let catalogues: Catalogues
let sources: Record<string, Source>
const { signal } = new AbortController()
const fabric: SourceContext = {
  game: 'minecraft-java',
  engine: 'fabric',
  loaders: ['fabric'],
  gameVersion: '1.21.4',
  userId: null,
}

beforeAll(async () => {
  catalogues = await startCatalogues()
})
afterAll(() => catalogues.close())
beforeEach(() => {
  catalogues.behave()
  const settings = readSettings(catalogues.settings)
  sources = Object.fromEntries(
    createForeignSources({ settings, logger: { warn() {} } }).map((source) => [source.id, source]),
  )
})

const search = (source: string, text: string) =>
  sources[source]!.search(
    { text, kinds: ['serverpack'], loaders: undefined, gameVersion: undefined, language: 'en' },
    { offset: 0, limit: 10 },
    signal,
  )
const packsOf = async (name: string, context: Partial<SourceContext> = {}): Promise<Manifest[]> =>
  (await sources[name.split(':')[0]!]!.versions(name, { ...fabric, ...context }, signal)).map(
    ({ manifest }) => manifest,
  )

test('packs are found in both catalogues as what they are', async () => {
  expect((await search('modrinth', 'pack')).hits).toMatchObject([{ name: 'modrinth:PackBigA', kind: 'serverpack' }])
  expect((await search('curseforge', 'deep')).hits).toMatchObject([{ name: 'curseforge:700001', kind: 'serverpack' }])
})

test('of an .mrpack come the files for servers, its settings, its loader, and nothing for players alone', async () => {
  const [newest, older] = await packsOf('modrinth:PackBigA')
  expect([newest!.packageVersion, older!.packageVersion]).toEqual(['1.0.0', '0.9.0'])
  expect(newest).toMatchObject({
    subdir: '{server}',
    place: 'keep',
    depends: [
      { provides: 'minecraft', expr: '=1.21.4' },
      { provides: 'fabric-loader', expr: '>=0.16.9' },
    ],
    labels: { kind: 'serverpack', 'pack-engine': 'fabric', 'pack-minecraft': '1.21.4', 'pack-left-out': '1' },
  })
  expect(newest!.downloadFiles.map(({ name, unpack, only }) => ({ name, unpack, only }))).toEqual([
    { name: 'pack.mrpack', unpack: 'zip', only: ['overrides', 'server-overrides'] },
    { name: 'mods/fabric-api-0.119.5+1.21.4.jar', unpack: 'none', only: undefined },
  ])
  for (const { url, hash } of newest!.downloadFiles) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(hash).toBe(`sha512:${createHash('sha512').update(bytes).digest('hex')}`)
  }
})

test('of a pack of CurseForge come its mods by numbers; closed and vanished ones are for people to fetch', async () => {
  const [pack] = await packsOf('curseforge:700001')
  expect(pack!.downloadFiles.map(({ name }) => name)).toEqual(['pack.zip', 'mods/fabric-api-0.119.5+1.21.4.jar'])
  expect(pack!.downloadFiles[0]!.only).toEqual(['overrides'])
  // One is optional, one for players, one are shaders.
  expect(pack!.labels['pack-left-out']).toBe('3')
  expect(pack!.labels['pack-by-hand']).toBe('https://www.curseforge.com/minecraft/mc-mods/closed-mod/files/6200000')
  expect(pack!.depends).toContainEqual({ provides: 'fabric-loader', expr: '>=0.16.9' })
  expect(pack!.provides).toContainEqual({ name: 'curseforge:306612', version: '2.0.0' })
})

test('what is in a pack needs not be brought a second time, and there is one pack at a time', async () => {
  const [pack] = await packsOf('modrinth:PackBigA')
  expect(pack!.provides).toEqual([
    { name: 'modpack', version: '1' },
    { name: 'modrinth:P7dR8mSH', version: '1.0.0' },
  ])
  expect(pack!.conflicts).toEqual([{ provides: 'modpack' }])
})

test('an archive that is not what the catalogue says is refused, and a catalogue that is away is away', async () => {
  const archive = /\.mrpack$/
  catalogues.misbehave(archive, { body: makeZip([{ path: 'modrinth.index.json', content: '{}' }]) })
  await expect(packsOf('modrinth:PackBigA')).rejects.toThrow('not what its hash says')
  catalogues.behave()
  catalogues.misbehave(archive, { status: 503 })
  await expect(packsOf('modrinth:PackBigA')).rejects.toThrow(SourceUnavailableError)
  catalogues.behave()
  catalogues.misbehave(archive, { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' })
  await expect(packsOf('modrinth:PackBigA')).rejects.toThrow(SourceUnavailableError)
})

test('each archive is fetched once', async () => {
  await packsOf('modrinth:PackBigA')
  const before = catalogues.requests.filter((path) => path.endsWith('.mrpack')).length
  await packsOf('modrinth:PackBigA')
  expect(catalogues.requests.filter((path) => path.endsWith('.mrpack'))).toHaveLength(before)
})

test('of many releases those are read that are meant', () => {
  const releases = ['3.0.0', '2.2.0', '2.1.0', '2.0.0', '1.0.0'].map((version, place) => ({
    version,
    game: place > 2 ? '1.20.4' : '1.21.4',
  }))
  const choose = (context: Partial<SourceContext>) =>
    choosePacks(releases, {
      name: 'modrinth:x',
      context: { ...fabric, ...context },
      versionOf: ({ version }) => version,
      gamesOf: ({ game }) => [game],
      loadersOf: () => ['fabric'],
    }).map(({ version }) => version)
  expect(choose({})).toEqual(['3.0.0', '2.2.0', '2.1.0'])
  expect(choose({ gameVersion: '1.20.4' })).toEqual(['3.0.0', '2.2.0', '2.1.0', '2.0.0'])
  expect(choose({ wanted: [{ name: 'modrinth:x', expr: '=1.0.0' }] })).toEqual(['1.0.0'])
  expect(choose({ wanted: [{ name: 'modrinth:y', expr: '=1.0.0' }] })).toEqual(['3.0.0', '2.2.0', '2.1.0'])
})

const hash = 'a'.repeat(128)
const file = (changes: object = {}) => ({
  path: 'mods/a.jar',
  hashes: { sha1: 'b'.repeat(40), sha512: hash },
  downloads: ['https://cdn.modrinth.com/data/AAAA/versions/BBBB/a.jar'],
  fileSize: 10,
  ...changes,
})
const index = (changes: object = {}) =>
  JSON.stringify({
    formatVersion: 1,
    game: 'minecraft',
    versionId: '1',
    name: 'Pack',
    files: [file()],
    dependencies: { minecraft: '1.21.4', 'fabric-loader': '0.16.9' },
    ...changes,
  })

describe('hostile lists', () => {
  test('a usual one is read', () => {
    expect(readModrinthIndex(index()).files).toEqual([
      { path: 'mods/a.jar', url: file().downloads[0], hash: `sha512:${hash}`, size: 10 },
    ])
  })

  test.each([
    '../outside.jar',
    'mods/../../outside.jar',
    '/etc/passwd',
    'C:/x.jar',
    'mods\\..\\x.jar',
    'mods//a.jar',
    'mods/./a.jar',
    'mods/a.jar\0.txt',
    'mods/con.jar',
    'mods/a.jar ',
    'mods/\u202eraj.a',
    '.wakestone/installed.json',
    '.trash/a',
    `mods/${'a'.repeat(300)}.jar`,
    '',
  ])('path %j is refused, also of a file that only players would get', (path) => {
    expect(() => readModrinthIndex(index({ files: [file({ path })] }))).toThrow(PackError)
    const env = { client: 'required', server: 'unsupported' }
    expect(() => readModrinthIndex(index({ files: [file({ path, env })] }))).toThrow(PackError)
  })

  test.each([
    'http://cdn.modrinth.com/a.jar',
    'https://cdn.modrinth.com.evil.example/a.jar',
    'https://cdn.modrinth.com@evil.example/a.jar',
    'https://evil.example/cdn.modrinth.com/a.jar',
    'https://cdn.modrinth.com:8443/a.jar',
    'https://127.0.0.1/a.jar',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'ftp://github.com/a.jar',
    'no address',
  ])('nothing is fetched from %s', (address) => {
    expect(() => readModrinthIndex(index({ files: [file({ downloads: [address] })] }))).toThrow(PackError)
    // One that is allowed among them is taken.
    const downloads = [address, 'https://github.com/a/b/releases/download/1/a.jar']
    expect(readModrinthIndex(index({ files: [file({ downloads })] })).files[0]!.url).toBe(downloads[1])
  })

  test('no hash, two files of one path, too many bytes, another game, two loaders', () => {
    const refuse = (changes: object) => expect(() => readModrinthIndex(index(changes))).toThrow(PackError)
    refuse({ files: [file({ hashes: { sha1: 'b'.repeat(40) } })] })
    refuse({ files: [file({ hashes: { sha512: 'no' } })] })
    refuse({ files: [file(), file({ path: 'MODS/A.jar' })] })
    refuse({
      files: Array.from({ length: 40 }, (_, place) => file({ path: `mods/${place}.jar`, fileSize: 1024 ** 3 })),
    })
    refuse({ files: [file({ fileSize: 2 * 1024 ** 3 })] })
    refuse({ files: Array.from({ length: 4000 }, (_, place) => file({ path: `mods/${place}.jar`, fileSize: 1 })) })
    refuse({ game: 'other' })
    refuse({ formatVersion: 2 })
    refuse({ dependencies: { 'fabric-loader': '0.16.9' } })
    refuse({ dependencies: { minecraft: 'x; rm -rf /', 'fabric-loader': '0.16.9' } })
    refuse({ dependencies: { minecraft: '1.21.4', 'fabric-loader': '0.16.9', forge: '47.0.0' } })
    refuse({ dependencies: { minecraft: '1.21.4', liteloader: '1' } })
    expect(() => readModrinthIndex('{')).toThrow(PackError)
  })

  test('of CurseForge as well', () => {
    const manifest = (changes: object = {}) =>
      JSON.stringify({
        minecraft: { version: '1.20.1', modLoaders: [{ id: 'neoforge-1.20.1-47.1.99', primary: true }] },
        manifestType: 'minecraftModpack',
        manifestVersion: 1,
        name: 'Pack',
        version: '1',
        files: [],
        ...changes,
      })
    expect(readCurseForgeManifest(manifest())).toMatchObject({
      loader: { engine: 'neoforge', version: '47.1.99' },
      overrides: ['overrides'],
    })
    for (const overrides of ['..', '../x', 'a/b', '/', '.wakestone', 'a\\b', ''])
      expect(() => readCurseForgeManifest(manifest({ overrides })), overrides).toThrow(PackError)
    for (const changes of [
      { manifestType: 'other' },
      { files: [{ projectID: -1, fileID: 1 }] },
      { minecraft: { version: '1.20.1', modLoaders: [{ id: 'rift-1' }] } },
      { minecraft: { version: 'latest' } },
    ])
      expect(() => readCurseForgeManifest(manifest(changes))).toThrow(PackError)
  })
})

describe('hostile archives', () => {
  const lists = createPackLists('modrinth')
  const read = (bytes: Buffer, said = bytes) => {
    const name = `sha512:${createHash('sha512').update(said).digest('hex')}`
    const open = async () =>
      (async function* () {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
      })()
    return lists.read({ hash: name, open }, 'modrinth.index.json', signal)
  }

  test('one that is none, has no list, or has it twice', async () => {
    await expect(read(Buffer.from('no zip'))).rejects.toThrow(PackError)
    await expect(read(makeZip([{ path: 'other', content: '' }]))).rejects.toThrow('has no modrinth.index.json')
    const twice = makeZip([
      { path: 'modrinth.index.json', content: '{}' },
      { path: 'modrinth.index.json', content: '{ }' },
    ])
    await expect(read(twice)).rejects.toThrow('twice')
  })

  test('a bomb is not unpacked, whatever it says of itself', async () => {
    const bomb = makeZip([{ path: 'modrinth.index.json', content: ' '.repeat(64 * 1024 * 1024) }])
    expect(bomb.length).toBeLessThan(200_000)
    await expect(read(bomb)).rejects.toThrow('too large')
    const liar = Buffer.from(bomb)
    // In the list of entries: size 24 bytes behind its beginning.
    liar.writeUInt32LE(100, liar.lastIndexOf('PK\u0001\u0002', undefined, 'latin1') + 24)
    await expect(read(liar)).rejects.toThrow('larger than it says')
  })

  test('one that says that it has more than it has, or lies elsewhere', async () => {
    const whole = makeZip([{ path: 'modrinth.index.json', content: '{}' }])
    const end = whole.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
    for (const [offset, value] of [
      [end + 10, 0xffff],
      [end + 12, 0xffffffff],
      [end + 16, 0xfffffff0],
      [whole.lastIndexOf('PK\u0001\u0002', undefined, 'latin1') + 42, 0x7fffffff],
    ] as const) {
      const bytes = Buffer.from(whole)
      if (value === 0xffff) bytes.writeUInt16LE(value, offset)
      else bytes.writeUInt32LE(value, offset)
      await expect(read(bytes), String(offset)).rejects.toThrow(PackError)
    }
  })

  test('cut off at any place it is refused, and nothing hangs', async () => {
    const whole = makeZip([{ path: 'modrinth.index.json', content: index() }])
    for (let length = 0; length < whole.length; length += 7)
      await expect(read(whole.subarray(0, length)), String(length)).rejects.toThrow(PackError)
    expect(JSON.parse(await read(whole))).toMatchObject({ name: 'Pack' })
  })
})
