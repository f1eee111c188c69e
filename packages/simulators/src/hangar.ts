/** Hangar's API, version 1, as far as servers need it, with its traps. */
import { type Catalogue, type CatalogueAnswer, catalogueFile } from './catalogue.ts'

type VersionSpec = {
  name: string
  channel?: string
  games: string[]
  /** Leads there, and tells no hash. */
  external?: string
  dependencies?: { name: string; required: boolean; externalUrl?: string }[]
}
type ProjectSpec = { slug: string; owner: string; description: string; downloads: number; versions: VersionSpec[] }

/** Newest version first. */
export const hangarProjects: ProjectSpec[] = [
  {
    slug: 'Maintenance',
    owner: 'kennytv',
    description: 'Put your server into maintenance',
    downloads: 300_000,
    versions: [
      { name: '4.4.0-SNAPSHOT', channel: 'Snapshot', games: ['1.21.4'] },
      {
        name: '4.3.0',
        games: ['1.20.4', '1.21.4'],
        dependencies: [
          { name: 'Helper', required: true },
          { name: 'Extras', required: false },
          { name: 'Elsewhere', required: true, externalUrl: 'https://example.org' },
        ],
      },
      { name: '4.2.1', games: ['1.20.4'] },
    ],
  },
  {
    slug: 'Helper',
    owner: 'kennytv',
    description: 'A library',
    downloads: 10_000,
    versions: [{ name: '1.0.0', games: ['1.20.4', '1.21.4'] }],
  },
  {
    slug: 'Outside',
    owner: 'somebody',
    description: 'Lies elsewhere',
    downloads: 90,
    versions: [{ name: '1.0.0', games: ['1.21.4'], external: 'https://example.org/outside.jar' }],
  },
]

/** @param base address under which the service is reached, without a trailing slash */
export function createHangar(base: string): Catalogue {
  const files = new Map<string, Buffer>()
  const root = '/hangar/api/v1'

  const describeVersion = (project: ProjectSpec, version: VersionSpec, id: number) => {
    const file = catalogueFile(`${project.slug}-${version.name}.jar`)
    const path = `/hangar/cdn/${project.slug}/${version.name}/PAPER/${file.name}`
    if (version.external === undefined) files.set(path, file.content)
    return {
      id,
      name: version.name,
      createdAt: '2026-01-02T03:04:05Z',
      description: `Changes of ${version.name}`,
      visibility: 'public',
      reviewState: 'reviewed',
      channel: { name: version.channel ?? 'Release', flags: version.channel ? ['UNSTABLE'] : [] },
      downloads: {
        PAPER: {
          fileInfo:
            version.external === undefined ? { name: file.name, sizeBytes: file.size, sha256Hash: file.sha256 } : null,
          externalUrl: version.external ?? null,
          downloadUrl: version.external === undefined ? `${base}${path}` : null,
        },
      },
      pluginDependencies: {
        PAPER: (version.dependencies ?? []).map((one) => ({
          projectId: null,
          externalUrl: null,
          platform: 'PAPER',
          ...one,
        })),
      },
      platformDependencies: { PAPER: version.games },
    }
  }
  const versions = new Map(
    hangarProjects.map((project) => [
      project,
      project.versions.map((version, index) => describeVersion(project, version, index)),
    ]),
  )

  const describeProject = (project: ProjectSpec, isWhole: boolean) => ({
    id: hangarProjects.indexOf(project),
    name: project.slug,
    namespace: { owner: project.owner, slug: project.slug },
    stats: { views: 1, downloads: project.downloads, recentViews: 1, recentDownloads: 1, stars: 3, watchers: 1 },
    category: 'admin_tools',
    description: project.description,
    lastUpdated: '2026-01-02T03:04:05Z',
    createdAt: '2020-01-02T03:04:05Z',
    visibility: 'public',
    avatarUrl: `${base}/hangar/avatar.webp`,
    settings: { license: { name: null, url: null, type: 'MIT' }, tags: [], keywords: [], links: [] },
    supportedPlatforms: { PAPER: [...new Set(project.versions.flatMap(({ games }) => games))] },
    ...(isWhole && { mainPageContent: `# ${project.slug}` }),
    memberNames: [project.owner],
  })

  const page = (
    all: unknown[],
    { query, most, usual }: { query: URLSearchParams; most: number; usual: number },
  ): CatalogueAnswer => {
    const limit = Math.min(Number(query.get('limit') ?? usual), most)
    const offset = Number(query.get('offset') ?? 0)
    return { body: { pagination: { limit, offset, count: all.length }, result: all.slice(offset, offset + limit) } }
  }

  return ({ path, query }) => {
    const content = files.get(path)
    if (content) return { body: content }
    if (!path.startsWith(`${root}/`)) return undefined
    const rest = path.slice(root.length)
    if (rest === '/projects') {
      const sort = (query.get('sort') ?? 'updated').replace(/^-/, '')
      if (!['views', 'downloads', 'newest', 'stars', 'updated', 'slug'].includes(sort))
        return { status: 400, body: { message: 'sort' } }
      const text = (query.get('query') ?? '').toLowerCase()
      const found = hangarProjects.filter(
        ({ slug, description, versions: all }) =>
          `${slug} ${description}`.toLowerCase().includes(text) &&
          (query.get('version') === null || all.some(({ games }) => games.includes(query.get('version')!))),
      )
      return page(
        found.map((project) => describeProject(project, false)),
        { query, most: 25, usual: 25 },
      )
    }
    const match = /^\/projects\/([^/]+)(\/versions|\/latestrelease)?$/.exec(rest)
    const project =
      match && hangarProjects.find(({ slug }) => slug.toLowerCase() === decodeURIComponent(match[1]!).toLowerCase())
    if (!match || !project) return { status: 404, body: { message: 'not found' } }
    if (match[2] === '/versions') return page(versions.get(project)!, { query, most: 25, usual: 10 })
    // No JSON.
    if (match[2] === '/latestrelease')
      return {
        headers: { 'content-type': 'text/plain' },
        body: project.versions.find(({ channel }) => channel === undefined)!.name,
      }
    return { body: describeProject(project, true) }
  }
}
