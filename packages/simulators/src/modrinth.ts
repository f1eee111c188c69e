/** Modrinth's API, version 2, as far as servers need it, with its traps. */
import { type Catalogue, type CatalogueAnswer, catalogueFile } from './catalogue.ts'
import { makeZip } from './stand-ins.ts'

type Dependency = {
  project_id: string | null
  version_id: string | null
  dependency_type: 'required' | 'optional' | 'incompatible' | 'embedded'
}
type VersionSpec = {
  id: string
  number: string
  type?: 'release' | 'beta' | 'alpha'
  loaders: string[]
  games: string[]
  date: string
  dependencies?: Dependency[]
}
type ProjectSpec = {
  id: string
  slug: string
  title: string
  description: string
  types: string[]
  downloads: number
  versions: VersionSpec[]
}

const needs = (project: string | null, version: string | null = null): Dependency => ({
  project_id: project,
  version_id: version,
  dependency_type: 'required',
})

/** Oldest version last, as it lists them. */
export const modrinthProjects: ProjectSpec[] = [
  {
    id: 'LuckPrmA',
    slug: 'luckperms',
    title: 'LuckPerms',
    description: 'A permissions plugin for servers',
    types: ['mod', 'plugin'],
    downloads: 9_000_000,
    versions: [
      {
        id: 'lpBuk550',
        number: 'v5.5.0-bukkit',
        loaders: ['bukkit', 'paper', 'spigot'],
        games: ['1.20.4', '1.21.4'],
        date: '2026-02-01',
      },
      {
        id: 'lpFab550',
        number: 'v5.5.0-fabric',
        loaders: ['fabric'],
        games: ['1.21.4'],
        date: '2026-02-01',
        dependencies: [needs('P7dR8mSH')],
      },
      {
        id: 'lpBuk549',
        number: 'v5.4.9-bukkit',
        loaders: ['bukkit', 'paper', 'spigot'],
        games: ['1.20.4'],
        date: '2025-10-01',
      },
    ],
  },
  {
    id: 'P7dR8mSH',
    slug: 'fabric-api',
    title: 'Fabric API',
    description: 'Essential hooks for modding with Fabric',
    types: ['mod'],
    downloads: 50_000_000,
    versions: [
      { id: 'fapi1195', number: '0.119.5+1.21.4', loaders: ['fabric'], games: ['1.21.4'], date: '2026-01-01' },
      { id: 'fapi1000', number: '0.100.0+1.20.4', loaders: ['fabric'], games: ['1.20.4'], date: '2025-01-01' },
    ],
  },
  {
    id: 'ShopChst',
    slug: 'chest-shops',
    title: 'Chest Shops',
    description: 'Shops out of chests and signs',
    types: ['mod', 'plugin'],
    downloads: 40_000,
    versions: [
      {
        id: 'shops210',
        number: '2.1.0',
        loaders: ['paper'],
        games: ['1.21.4'],
        date: '2026-03-01',
        dependencies: [
          needs('VaultAbc'),
          // Of a project that is gone, and by a version alone.
          needs('Vanished'),
          needs(null, 'lpBuk550'),
          { project_id: 'MapTiles', version_id: null, dependency_type: 'optional' },
          { project_id: 'OldShops', version_id: null, dependency_type: 'incompatible' },
          { project_id: 'TinyLibr', version_id: null, dependency_type: 'embedded' },
        ],
      },
      {
        id: 'shops220',
        number: '2.2.0-beta.1',
        type: 'beta',
        loaders: ['paper'],
        games: ['1.21.4'],
        date: '2026-03-05',
        dependencies: [needs('VaultAbc')],
      },
    ],
  },
  {
    id: 'VaultAbc',
    slug: 'vaults',
    title: 'Vaults',
    description: 'One economy for all plugins',
    types: ['mod', 'plugin'],
    downloads: 700_000,
    versions: [
      {
        id: 'vault170',
        number: '1.7.0',
        loaders: ['paper', 'spigot'],
        games: ['1.20.4', '1.21.4'],
        date: '2025-05-01',
      },
    ],
  },
  {
    id: 'MapTiles',
    slug: 'map-tiles',
    title: 'Map Tiles',
    description: 'Draws the world',
    types: ['mod', 'plugin'],
    downloads: 900,
    versions: [{ id: 'tiles100', number: '1.0.0', loaders: ['paper'], games: ['1.21.4'], date: '2025-05-01' }],
  },
  {
    id: 'DataRain',
    slug: 'less-rain',
    title: 'Less Rain',
    description: 'It rains less',
    types: ['mod', 'datapack'],
    downloads: 1200,
    versions: [{ id: 'rain1000', number: '1.0.0', loaders: ['datapack'], games: ['1.21.4'], date: '2025-05-01' }],
  },
  {
    id: 'PackBigA',
    slug: 'big-pack',
    title: 'Big Pack',
    description: 'Many mods at once',
    types: ['modpack'],
    downloads: 2_000_000,
    versions: [
      { id: 'pack1000', number: '1.0.0', loaders: ['mrpack', 'fabric'], games: ['1.21.4'], date: '2025-05-01' },
      { id: 'pack0900', number: '0.9.0', loaders: ['mrpack', 'fabric'], games: ['1.20.4'], date: '2025-01-01' },
    ],
  },
]

const time = (date: string) => `${date}T12:00:00Z`

/** @param base address under which the service is reached, without a trailing slash */
export function createModrinth(base: string): Catalogue {
  const files = new Map<string, Buffer>()
  const root = '/modrinth/v2'

  const modOf = (projectId: string, game: string) => {
    const project = modrinthProjects.find(({ id }) => id === projectId)!
    const version = project.versions.find(({ loaders, games }) => loaders.includes('fabric') && games.includes(game))!
    return describeVersion(project, version).files.find(({ primary }) => primary)!
  }

  /** An `.mrpack` as launchers export them: a mod for all, one for players alone, and settings for either side. */
  function makePack({ number, games: [game = ''] }: VersionSpec): Buffer<ArrayBuffer> {
    const mod = modOf('P7dR8mSH', game)
    const minimap = catalogueFile('minimap-1.0.0.jar')
    const path = '/modrinth/cdn/data/MiniMaps/versions/minimap1/minimap-1.0.0.jar'
    files.set(path, minimap.content)
    const index = {
      formatVersion: 1,
      game: 'minecraft',
      versionId: number,
      name: 'Big Pack',
      summary: 'Many mods at once',
      files: [
        {
          path: `mods/${mod.filename}`,
          hashes: mod.hashes,
          env: { client: 'required', server: 'required' },
          downloads: [mod.url],
          fileSize: mod.size,
        },
        {
          path: `mods/${minimap.name}`,
          hashes: { sha1: minimap.sha1, sha512: minimap.sha512 },
          env: { client: 'required', server: 'unsupported' },
          downloads: [`${base}${path}`],
          fileSize: minimap.size,
        },
      ],
      dependencies: { minecraft: game, 'fabric-loader': '0.16.9' },
    }
    return makeZip([
      { path: 'modrinth.index.json', content: JSON.stringify(index, null, 2) },
      { path: 'overrides/config/big.json', content: `{ "version": "${number}", "side": "both" }\n` },
      { path: 'overrides/config/view.json', content: '{ "distance": 10 }\n' },
      { path: 'server-overrides/config/big.json', content: `{ "version": "${number}", "side": "server" }\n` },
      { path: 'client-overrides/options.txt', content: 'fov:0.5\n' },
    ])
  }

  const describeVersion = (project: ProjectSpec, version: VersionSpec) => {
    const isPack = version.loaders.includes('mrpack')
    const ending = isPack ? 'mrpack' : version.loaders.includes('datapack') ? 'zip' : 'jar'
    const name = `${project.slug}-${version.number.replaceAll(/[^\w.+-]/g, '_')}.${ending}`
    const { content, size, sha1, sha512 } = catalogueFile(name, isPack ? makePack(version) : undefined)
    const path = `/modrinth/cdn/data/${project.id}/versions/${version.id}/${name}`
    files.set(path, content)
    const other = catalogueFile(`sources-${name}`)
    return {
      id: version.id,
      project_id: project.id,
      author_id: 'AuthorAA',
      name: `${project.title} ${version.number}`,
      version_number: version.number,
      changelog: `- What is new in ${version.number}`,
      version_type: version.type ?? 'release',
      loaders: version.loaders,
      game_versions: version.games,
      date_published: time(version.date),
      downloads: 10,
      status: 'listed',
      featured: false,
      // The one that counts need not stand first.
      files: [
        {
          hashes: { sha1: other.sha1, sha512: other.sha512 },
          url: `${base}${path}.sources`,
          filename: other.name,
          primary: false,
          size: other.size,
          file_type: null,
        },
        { hashes: { sha1, sha512 }, url: `${base}${path}`, filename: name, primary: true, size, file_type: null },
      ],
      dependencies: version.dependencies ?? [],
    }
  }
  const versions = new Map(
    modrinthProjects.map((project) => [
      project.id,
      project.versions.map((version) => describeVersion(project, version)),
    ]),
  )
  const findProject = (key: string) => modrinthProjects.find(({ id, slug }) => id === key || slug === key.toLowerCase())
  const loadersOf = ({ versions: all }: ProjectSpec) => [...new Set(all.flatMap(({ loaders }) => loaders))]
  const gamesOf = ({ versions: all }: ProjectSpec) => [...new Set(all.flatMap(({ games }) => games))]

  const describeProject = (project: ProjectSpec) => ({
    id: project.id,
    slug: project.slug,
    title: project.title,
    description: project.description,
    body: `# ${project.title}\n\n${project.description}\n\n<script>alert(1)</script>`,
    project_type: project.types[0],
    loaders: loadersOf(project),
    game_versions: gamesOf(project),
    categories: ['utility'],
    downloads: project.downloads,
    followers: 12,
    icon_url: '',
    updated: time(project.versions[0]!.date),
    license: { id: 'MIT', name: 'MIT License', url: null },
    source_url: 'https://example.org/source',
    issues_url: null,
    wiki_url: null,
    discord_url: null,
    gallery: [],
    versions: project.versions.map(({ id }) => id),
  })

  function search(query: URLSearchParams): CatalogueAnswer {
    const limit = Math.min(Number(query.get('limit') ?? 10) || 1, 100)
    const facets = readJson(query.get('facets')) as string[][] | undefined
    if (query.has('facets') && !Array.isArray(facets))
      return { status: 400, body: { error: 'invalid_input', description: 'facets' } }
    const text = (query.get('query') ?? '').toLowerCase()
    const has = (project: ProjectSpec, facet: string) => {
      const [field = '', value = ''] = facet.split(':')
      if (field === 'project_type') return project.types.includes(value)
      if (field === 'categories') return loadersOf(project).includes(value)
      if (field === 'versions') return gamesOf(project).includes(value)
      return true
    }
    const found = modrinthProjects
      .filter((project) => `${project.title} ${project.description}`.toLowerCase().includes(text))
      .filter((project) => (facets ?? []).every((any) => any.some((facet) => has(project, facet))))
      .toSorted((one, other) => other.downloads - one.downloads)
    // Whole pages only, however the offset is.
    const offset = Math.floor(Number(query.get('offset') ?? 0) / limit) * limit
    const hits = found.slice(offset, offset + limit).map((project) => ({
      project_id: project.id,
      // Plugins and data packs as well.
      project_type: project.types[0],
      all_project_types: project.types,
      slug: project.slug,
      author: 'somebody',
      author_id: 'AuthorAA',
      title: project.title,
      description: project.description,
      categories: ['utility', ...loadersOf(project)],
      display_categories: ['utility'],
      versions: gamesOf(project),
      downloads: project.downloads,
      follows: 12,
      icon_url: '',
      date_created: time('2020-01-01'),
      date_modified: time(project.versions[0]!.date),
      latest_version: project.versions[0]!.id,
      license: 'MIT',
      client_side: 'optional',
      server_side: 'required',
      gallery: [],
    }))
    return { body: { hits, offset, limit, total_hits: found.length } }
  }

  function listVersions(project: ProjectSpec, query: URLSearchParams): CatalogueAnswer {
    // A filter that is no JSON is passed over.
    const loaders = readJson(query.get('loaders')) as string[] | undefined
    const games = readJson(query.get('game_versions')) as string[] | undefined
    const found = versions
      .get(project.id)!
      .filter(
        (version) => !loaders || version.loaders.some((loader) => loaders.includes(loader) || loader === 'mrpack'),
      )
      .filter((version) => !games || version.game_versions.some((game) => games.includes(game)))
    return { body: found.toSorted((one, other) => (one.date_published < other.date_published ? 1 : -1)) }
  }

  return ({ method, path, query, headers, body }) => {
    const content = files.get(path)
    if (content) return { body: content }
    if (!path.startsWith(`${root}/`)) return undefined
    if (!/\(.*@.*\)/.test(headers['user-agent'] ?? ''))
      return { status: 403, body: { error: 'forbidden', description: 'user agent' } }
    const limits = { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '299', 'x-ratelimit-reset': '60' }
    const answer = (found: CatalogueAnswer): CatalogueAnswer => ({ ...found, headers: limits })
    const rest = path.slice(root.length)
    if (rest === '/search') return answer(search(query))
    if (rest === '/projects') {
      const ids = (readJson(query.get('ids')) as string[] | undefined) ?? []
      return answer({
        body: ids.flatMap((id) => {
          const found = findProject(id)
          return found ? [describeProject(found)] : []
        }),
      })
    }
    const ofProject = /^\/project\/([^/]+)(\/version)?$/.exec(rest)
    if (ofProject) {
      const project = findProject(decodeURIComponent(ofProject[1]!))
      if (project === undefined) return { status: 404 } // without a body
      return answer(ofProject[2] ? listVersions(project, query) : { body: describeProject(project) })
    }
    const ofVersion = /^\/version\/([^/]+)$/.exec(rest)
    if (ofVersion) {
      const found = [...versions.values()].flat().find(({ id }) => id === ofVersion[1])
      return found ? answer({ body: found }) : { status: 404 }
    }
    if (rest === '/version_files/update_many' && method === 'POST') {
      const { hashes = [] } = (readJson(body) ?? {}) as { hashes?: string[] }
      const all = [...versions.values()].flat()
      // Several versions may have the same file.
      const byHash = hashes.map((hash) => [
        hash,
        all.filter(({ files: own }) => own.some(({ hashes: one }) => one.sha512 === hash || one.sha1 === hash)),
      ])
      return answer({ body: Object.fromEntries(byHash) })
    }
    return { status: 404 }
  }
}

function readJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
