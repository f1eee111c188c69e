/** CurseForge's API, as far as servers need it, with its traps. */
import { type Catalogue, type CatalogueAnswer, catalogueFile } from './catalogue.ts'
import { makeZip } from './stand-ins.ts'

type FileSpec = {
  id: number
  name: string
  type?: number
  /** Versions of the game, and names of loaders. */
  games: string[]
  /** Its author lets nobody else hand it out. */
  isClosed?: boolean
  /** It is a pack, of this version. */
  pack?: string
  dependencies?: { modId: number; relationType: number }[]
}
type ModSpec = {
  id: number
  slug: string
  name: string
  classId: number
  downloads: number
  isClosed?: boolean
  files: FileSpec[]
}

/** Newest file first. */
export const curseForgeMods: ModSpec[] = [
  {
    id: 238_222,
    slug: 'item-lists',
    name: 'Item Lists',
    classId: 6,
    downloads: 400_000_000,
    files: [
      {
        id: 6_000_002,
        name: 'itemlists-fabric-1.21.4-19.2.1.jar',
        games: ['1.21.4', 'Fabric'],
        dependencies: [
          { modId: 306_612, relationType: 3 },
          { modId: 999, relationType: 5 },
          { modId: 238_223, relationType: 2 },
        ],
      },
      { id: 6_000_001, name: 'itemlists-neoforge-1.21.4-19.2.1.jar', games: ['1.21.4', 'NeoForge', 'Server'] },
      { id: 6_000_000, name: 'itemlists-forge-1.20.4-17.0.0.jar', games: ['1.20.4', 'Forge'], type: 2 },
    ],
  },
  {
    id: 306_612,
    slug: 'fabric-api',
    name: 'Fabric API',
    classId: 6,
    downloads: 200_000_000,
    files: [{ id: 6_100_000, name: 'fabric-api-0.119.5+1.21.4.jar', games: ['1.21.4', 'Fabric'] }],
  },
  {
    id: 238_223,
    slug: 'closed-mod',
    name: 'Closed Mod',
    classId: 6,
    downloads: 10,
    isClosed: true,
    files: [{ id: 6_200_000, name: 'closed-1.0.0.jar', games: ['1.21.4', 'Fabric'], isClosed: true }],
  },
  {
    id: 31_585,
    slug: 'edit-worlds',
    name: 'Edit Worlds',
    classId: 5,
    downloads: 30_000_000,
    files: [{ id: 6_300_000, name: 'editworlds-7.3.0.jar', games: ['1.20.4', '1.21.4'] }],
  },
  {
    id: 500_001,
    slug: 'a-castle',
    name: 'A Castle',
    classId: 17,
    downloads: 12_000,
    files: [{ id: 6_400_000, name: 'A Castle 1.2.zip', games: ['1.21.4'] }],
  },
  {
    id: 700_001,
    slug: 'deep-dungeons',
    name: 'Deep Dungeons',
    classId: 4471,
    downloads: 900_000,
    files: [{ id: 6_700_001, name: 'Deep Dungeons-2.0.0.zip', games: ['1.21.4', 'Fabric'], pack: '2.0.0' }],
  },
  {
    id: 710_001,
    slug: 'player-lights',
    name: 'Player Lights',
    classId: 6,
    downloads: 10,
    files: [{ id: 6_710_001, name: 'lights-1.0.0.jar', games: ['1.21.4', 'Fabric', 'Client'] }],
  },
  { id: 600_001, slug: 'shaders', name: 'Shaders', classId: 6552, downloads: 5, files: [] },
]

/** A pack as its app exports them: mods by numbers, one of them closed, one for players alone, one that is optional. */
function makePack(version: string): Buffer<ArrayBuffer> {
  const manifest = {
    minecraft: { version: '1.21.4', modLoaders: [{ id: 'fabric-0.16.9', primary: true }] },
    manifestType: 'minecraftModpack',
    manifestVersion: 1,
    name: 'Deep Dungeons',
    version,
    author: 'somebody',
    files: [
      { projectID: 306_612, fileID: 6_100_000, required: true },
      { projectID: 238_222, fileID: 6_000_002, required: false },
      { projectID: 238_223, fileID: 6_200_000, required: true },
      { projectID: 710_001, fileID: 6_710_001, required: true },
      { projectID: 600_001, fileID: 6_600_000, required: true },
    ],
    overrides: 'overrides',
  }
  return makeZip([
    { path: 'manifest.json', content: JSON.stringify(manifest, null, 2) },
    { path: 'modlist.html', content: '<ul></ul>' },
    { path: 'overrides/config/dungeons.toml', content: 'depth = 64\n' },
  ])
}

/** @param base address under which the service is reached, without a trailing slash @param key without which it answers nothing */
export function createCurseForge(base: string, key: string): Catalogue {
  const files = new Map<string, Buffer>()
  const root = '/curseforge/v1'

  const describeFile = (mod: ModSpec, spec: FileSpec) => {
    const { content, size, sha1 } = catalogueFile(spec.name, spec.pack === undefined ? undefined : makePack(spec.pack))
    const path = `/curseforge/cdn/files/${Math.floor(spec.id / 1000)}/${spec.id % 1000}/${encodeURIComponent(spec.name)}`
    files.set(path, content)
    return {
      id: spec.id,
      gameId: 432,
      modId: mod.id,
      isAvailable: true,
      displayName: spec.name,
      fileName: spec.name,
      releaseType: spec.type ?? 1,
      fileStatus: 4,
      hashes: [
        { value: 'd41d8cd98f00b204e9800998ecf8427e', algo: 2 },
        { value: sha1, algo: 1 },
      ],
      fileDate: '2026-01-02T03:04:05Z',
      fileLength: size,
      downloadCount: 1,
      downloadUrl: spec.isClosed ? null : `${base}${path}`,
      gameVersions: spec.games,
      dependencies: spec.dependencies ?? [],
      fileFingerprint: spec.id,
    }
  }
  const filesOf = new Map(curseForgeMods.map((mod) => [mod, mod.files.map((spec) => describeFile(mod, spec))]))
  const loaderNumbers: Record<string, number> = { Forge: 1, Fabric: 4, Quilt: 5, NeoForge: 6 }

  const describeMod = (mod: ModSpec) => ({
    id: mod.id,
    gameId: 432,
    name: mod.name,
    slug: mod.slug,
    links: {
      websiteUrl: `https://www.curseforge.com/minecraft/mc-mods/${mod.slug}`,
      wikiUrl: null,
      issuesUrl: null,
      sourceUrl: null,
    },
    summary: `${mod.name}, in short`,
    status: 4,
    downloadCount: mod.downloads,
    classId: mod.classId,
    categories: [{ name: 'Utility' }],
    authors: [{ id: 1, name: 'somebody', url: '' }],
    logo: null,
    screenshots: [],
    dateModified: '2026-01-02T03:04:05Z',
    allowModDistribution: mod.isClosed ? false : null,
    latestFilesIndexes: mod.files.flatMap((file) =>
      file.games
        .filter((game) => /^\d/.test(game))
        .map((gameVersion) => ({
          gameVersion,
          fileId: file.id,
          filename: file.name,
          releaseType: 1,
          modLoader: file.games.map((word) => loaderNumbers[word]).find((one) => one !== undefined) ?? null,
        })),
    ),
  })

  function search(query: URLSearchParams): CatalogueAnswer {
    const index = Number(query.get('index') ?? 0)
    const pageSize = Math.min(Number(query.get('pageSize') ?? 50), 50)
    if (query.get('gameId') !== '432' || index + pageSize > 10_000) return { status: 400 }
    const text = (query.get('searchFilter') ?? '').toLowerCase()
    const game = query.get('gameVersion')
    // Without a version of the game it is passed over.
    const loader = game === null ? null : query.get('modLoaderType')
    const found = curseForgeMods
      .filter(({ classId }) => !query.has('classId') || classId === Number(query.get('classId')))
      .filter(({ name }) => name.toLowerCase().includes(text))
      .filter((mod) => game === null || mod.files.some(({ games }) => games.includes(game)))
      .filter(
        (mod) =>
          loader === null ||
          mod.files.some(({ games }) => games.some((word) => loaderNumbers[word] === Number(loader))),
      )
      .toSorted((one, other) => other.downloads - one.downloads)
    const data = found.slice(index, index + pageSize).map(describeMod)
    return { body: { data, pagination: { index, pageSize, resultCount: data.length, totalCount: found.length } } }
  }

  return ({ method, path, query, headers, body }) => {
    const content = files.get(path)
    // The content network asks for the key as well.
    if (content) return headers['x-api-key'] === key ? { body: content } : { status: 401 }
    if (!path.startsWith(`${root}/`)) return undefined
    if (headers['x-api-key'] !== key) return { status: 403 }
    const rest = path.slice(root.length)
    if (method === 'POST' && (rest === '/mods' || rest === '/mods/files')) {
      const { modIds = [], fileIds = [] } = JSON.parse(body) as { modIds?: number[]; fileIds?: number[] }
      const all = [...filesOf.values()].flat()
      // What is not there is left out, without a word.
      const data =
        rest === '/mods'
          ? curseForgeMods.filter(({ id }) => modIds.includes(id)).map(describeMod)
          : all.filter(({ id }) => fileIds.includes(id))
      return { body: { data } }
    }
    if (rest === '/mods/search') return search(query)
    const match = /^\/mods\/(\d+)(\/files|\/description)?$/.exec(rest)
    const mod = match && curseForgeMods.find(({ id }) => id === Number(match[1]))
    if (!match || !mod) return { status: 404 }
    if (match[2] === '/description') return { body: { data: `<p>${mod.name}</p>` } }
    if (match[2] === '/files') {
      const index = Number(query.get('index') ?? 0)
      const pageSize = Math.min(Number(query.get('pageSize') ?? 50), 50)
      const all = filesOf.get(mod)!
      const data = all.slice(index, index + pageSize)
      return { body: { data, pagination: { index, pageSize, resultCount: data.length, totalCount: all.length } } }
    }
    return { body: { data: describeMod(mod) } }
  }
}
