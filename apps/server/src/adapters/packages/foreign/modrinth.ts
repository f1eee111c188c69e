/**
 * Modrinth, by its API, version 2. Plugins and data packs are told of as mods there; filters that it cannot read are passed
 * over without a word, so what comes is filtered again; what is not there is a 404 without a body.
 */
import { isProxyEngine } from '@wakestone/contract/servers/server'
import type { PackageKind } from '@wakestone/contract/servers/package-search'
import type { Manifest } from '@wakestone/packager/manifest'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'
import { z } from 'zod'
import { type Hit, type Source, type SourceContext, SourceUnavailableError, splitPackageName } from '../source.ts'
import { modrinthIndex, readModrinthIndex } from '@wakestone/packager/packs/modrinth'
import { sealPack } from '@wakestone/packager/packs/seal'
import { createPackLists } from '../packs/pack-lists.ts'
import { choosePacks, readPacks } from '../packs/pack-releases.ts'
import { createAsking } from './asking.ts'
import { readableVersion, releaseLabel, sealForeign } from './manifest.ts'

const text = z.string().nullish()
const hitSchema = z.object({
  project_id: z.string().max(64),
  project_type: z.string(),
  all_project_types: z.array(z.string()).optional(),
  slug: text,
  author: z.string(),
  title: z.string(),
  description: z.string(),
  categories: z.array(z.string()).default([]),
  display_categories: z.array(z.string()).optional(),
  versions: z.array(z.string()).default([]),
  downloads: z.number().int(),
  follows: z.number().int(),
  icon_url: text,
  date_modified: z.string(),
})
const searchSchema = z.object({
  hits: z.array(hitSchema),
  offset: z.number(),
  limit: z.number(),
  total_hits: z.number(),
})
const projectSchema = z.object({
  id: z.string().max(64),
  slug: z.string().max(128),
  title: z.string(),
  description: z.string(),
  body: z.string(),
  project_type: z.string(),
  loaders: z.array(z.string()).default([]),
  game_versions: z.array(z.string()).default([]),
  categories: z.array(z.string()).default([]),
  downloads: z.number().int(),
  followers: z.number().int().default(0),
  icon_url: text,
  updated: z.string(),
  license: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  source_url: text,
  issues_url: text,
  wiki_url: text,
  discord_url: text,
  gallery: z.array(z.object({ url: z.string(), title: z.string().nullish() })).default([]),
})
const headSchema = projectSchema.pick({
  id: true,
  slug: true,
  title: true,
  icon_url: true,
  project_type: true,
  loaders: true,
})
const versionSchema = z.object({
  id: z.string().max(64),
  project_id: z.string().max(64),
  name: z.string(),
  version_number: z.string(),
  changelog: text,
  version_type: z.enum(['release', 'beta', 'alpha']).catch('alpha'),
  loaders: z.array(z.string()),
  game_versions: z.array(z.string()),
  date_published: z.string(),
  status: z.string().default('listed'),
  files: z.array(
    z.object({
      hashes: z.object({ sha512: z.string().regex(/^[0-9a-f]{128}$/), sha1: z.string() }),
      url: z.url(),
      filename: z.string(),
      primary: z.boolean(),
      size: z.number().int(),
    }),
  ),
  dependencies: z
    .array(
      z.object({
        version_id: z.string().nullish(),
        project_id: z.string().nullish(),
        dependency_type: z.enum(['required', 'optional', 'incompatible', 'embedded']).catch('optional'),
      }),
    )
    .default([]),
})
type Version = z.output<typeof versionSchema>
const versionsSchema = z.array(versionSchema)

const pluginLoaders = ['paper', 'purpur', 'spigot', 'bukkit', 'folia', 'velocity', 'waterfall', 'bungeecord', 'sponge']
const modLoaders = ['fabric', 'quilt', 'forge', 'neoforge']

/** Kinds of ours that it knows, by its own names. */
const types: Partial<Record<PackageKind, string>> = {
  plugin: 'plugin',
  mod: 'mod',
  datapack: 'datapack',
  resourcepack: 'resourcepack',
  serverpack: 'modpack',
}
const kinds = Object.entries(types) as [PackageKind, string][]

type Options = { url: string; userAgent: string }

export function createModrinthSource({ url, userAgent }: Options): Source {
  const base = url.replace(/\/$/, '')
  const asking = createAsking({ source: 'modrinth', base, headers: { 'user-agent': userAgent } })

  const readProject = (id: string, signal: AbortSignal) =>
    asking.get(`/project/${encodeURIComponent(id)}`, projectSchema, signal)

  async function readVersions(id: string, context: SourceContext | null, signal: AbortSignal): Promise<Version[]> {
    const loaders = context === null ? [] : askedLoaders(context)
    const query = loaders.length === 0 ? '' : `?loaders=${encodeURIComponent(JSON.stringify(loaders))}`
    const versions = await asking.get(`/project/${encodeURIComponent(id)}/version${query}`, versionsSchema, signal)
    return (versions ?? []).filter(
      (version) =>
        ['listed', 'archived'].includes(version.status) &&
        (loaders.length === 0 || version.loaders.some((loader) => loaders.includes(loader))),
    )
  }

  /** Projects by id or slug; those that do not exist are left out. */
  async function readProjects<T extends z.ZodType>(
    ids: readonly string[],
    schema: T,
    signal: AbortSignal,
  ): Promise<z.output<T>[]> {
    const all: z.output<T>[] = []
    for (let at = 0; at < ids.length; at += 100) {
      const part = encodeURIComponent(JSON.stringify(ids.slice(at, at + 100)))
      all.push(...((await asking.get(`/projects?ids=${part}`, z.array(schema), signal)) ?? []))
    }
    return all
  }

  /** A dependency on a release whose project is not said. @returns undefined where it is gone */
  async function projectOf(versionId: string, signal: AbortSignal): Promise<string | undefined> {
    const version = await asking.get(
      `/version/${encodeURIComponent(versionId)}`,
      z.object({ project_id: z.string() }),
      signal,
    )
    return version?.project_id
  }

  /** Projects that dependencies name and that are not there any more. */
  async function findGone(versions: readonly Version[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const ids = [
      ...new Set(versions.flatMap(({ dependencies }) => dependencies.flatMap((one) => one.project_id ?? []))),
    ]
    const gone = new Set(ids)
    for (const { id } of await readProjects(ids, z.object({ id: z.string() }), signal)) gone.delete(id)
    return gone
  }

  async function readDependencies(
    { dependencies }: Version,
    { gone, signal }: { gone: ReadonlySet<string>; signal: AbortSignal },
  ) {
    const found = { required: [], optional: [], incompatible: [], embedded: [] } as Record<
      Version['dependencies'][number]['dependency_type'],
      Selector[]
    >
    for (const { version_id: versionId, project_id: projectId, dependency_type: type } of dependencies.slice(0, 100)) {
      const project = projectId ?? (versionId ? await projectOf(versionId, signal) : undefined)
      // A file that belongs to no project, or a project that is gone: nobody could install it.
      const isNeeded = type === 'required' || type === 'optional'
      if (project === undefined || (isNeeded && gone.has(project))) continue
      const release = versionId ? { labels: { [releaseLabel]: versionId } } : {}
      found[type].push({ name: `modrinth:${project}`, ...release })
    }
    return found
  }

  const lists = createPackLists('modrinth')

  async function openFile(address: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const response = await fetch(address, { headers: { 'user-agent': userAgent }, signal, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new SourceUnavailableError('modrinth', { reason: 'no answer', cause: error })
      },
    )
    if (response.ok && response.body !== null) return response.body
    await response.body?.cancel()
    throw new SourceUnavailableError('modrinth', { reason: `status ${response.status}` })
  }

  /** Of a pack all that is in it, as its list has it. */
  async function sealPackOf(version: Version, { slug, signal }: { slug: string | null; signal: AbortSignal }) {
    const file = version.files.find(({ primary }) => primary) ?? version.files[0]
    if (file === undefined || !isOwnHost(file.url, base)) return undefined
    const hash = `sha512:${file.hashes.sha512}`
    const list = await lists.read({ hash, open: (until) => openFile(file.url, until) }, modrinthIndex, signal)
    const { files, leftOut, projects, ...pack } = readModrinthIndex(
      list,
      ({ origin }) => origin === new URL(base).origin,
    )
    return sealPack({
      pack,
      name: `modrinth:${version.project_id}`,
      version: readableVersion(version.version_number),
      aliases: slug === null || slug === version.project_id ? [] : [`modrinth:${slug}`],
      labels: { [releaseLabel]: version.id },
      files,
      embeds: projects.map((project) => `modrinth:${project}`),
      leftOut,
      archive: { name: 'pack.mrpack', url: file.url, hash, size: file.size },
    })
  }

  type Sealing = { slug: string | null; gone: ReadonlySet<string>; isProxy: boolean; signal: AbortSignal }

  async function seal(version: Version, { slug, gone, isProxy, signal }: Sealing) {
    const file = version.files.find(({ primary }) => primary) ?? version.files[0]
    const kind = kindOfVersion(version)
    if (file === undefined || kind === undefined || kind === 'serverpack' || !isOwnHost(file.url, base))
      return undefined
    const { required, optional, incompatible, embedded } = await readDependencies(version, { gone, signal })
    return sealForeign({
      name: `modrinth:${version.project_id}`,
      aliases: slug === null || slug === version.project_id ? [] : [`modrinth:${slug}`],
      releaseId: version.id,
      version: version.version_number,
      kind,
      loaders: version.loaders,
      // A proxy speaks many versions of the game: those that are named say nothing there.
      gameVersions: isProxy ? [] : version.game_versions,
      requires: required,
      recommends: optional,
      conflicts: incompatible,
      embeds: embedded.flatMap(({ name }) => name ?? []),
      file: { name: file.filename, url: file.url, hash: `sha512:${file.hashes.sha512}`, size: file.size },
    })
  }

  return {
    id: 'modrinth',
    async search(query, { offset, limit }, signal) {
      const wanted = kinds.filter(([kind]) => query.kinds === undefined || query.kinds.includes(kind))
      if (wanted.length === 0) return { hits: [], hasMore: false, total: 0 }
      const facets = [
        wanted.map(([, type]) => `project_type:${type}`),
        ['server_side:required', 'server_side:optional', 'server_side:unknown'],
        ...(query.loaders?.length ? [query.loaders.flatMap(alike).map((loader) => `categories:${loader}`)] : []),
        ...(query.gameVersion === undefined ? [] : [[`versions:${query.gameVersion}`]]),
      ]
      const parameters = new URLSearchParams({
        query: query.text,
        facets: JSON.stringify(facets),
        index: query.text === '' ? 'downloads' : 'relevance',
        // It rounds down to whole pages.
        offset: String(Math.floor(offset / limit) * limit),
        limit: String(limit),
      })
      const found = await asking.get(`/search?${parameters}`, searchSchema, signal)
      if (found === null) return { hits: [], hasMore: false, total: 0 }
      const hits = found.hits.flatMap((hit) => describeHit(hit, wanted) ?? [])
      return { hits, hasMore: found.offset + found.hits.length < found.total_hits, total: found.total_hits }
    },
    async project(id, _context, signal) {
      const project = await readProject(id, signal)
      if (project === null) return undefined
      const versions = await readVersions(id, null, signal)
      const kind = versions.map(kindOfVersion).find((one) => one !== undefined) ?? 'mod'
      const links = [
        ['source', project.source_url],
        ['issues', project.issues_url],
        ['wiki', project.wiki_url],
        ['chat', project.discord_url],
      ] as const
      const newest = versions.slice(0, 50)
      const gone = await findGone(newest, signal)
      const dependencies = await Promise.all(newest.map((version) => readDependencies(version, { gone, signal })))
      return {
        name: `modrinth:${project.id}`,
        title: project.title,
        summary: project.description,
        author: '',
        icon_url: project.icon_url || null,
        url: `https://modrinth.com/project/${project.slug}`,
        kind,
        categories: project.categories,
        downloads: project.downloads,
        follows: project.followers,
        updated_at: project.updated,
        latest_version: versions[0]?.version_number ?? null,
        game_versions: project.game_versions,
        loaders: project.loaders,
        only_link: false,
        description: { format: 'markdown', text: project.body },
        license: project.license?.name || project.license?.id || null,
        links: links.flatMap(([type, address]) => (address ? [{ kind: type, url: address }] : [])),
        images: project.gallery.slice(0, 20).map((image) => ({ url: image.url, title: image.title ?? '' })),
        releases: newest.map((version, place) => ({
          version: version.version_number,
          channel: version.version_type === 'release' ? 'stable' : 'latest',
          published_at: version.date_published,
          game_versions: version.game_versions,
          loaders: version.loaders,
          changes: version.changelog ? { format: 'markdown', text: version.changelog } : null,
          bytes: version.files.find(({ primary }) => primary)?.size ?? null,
          requires: dependencies[place]!.required,
          recommends: dependencies[place]!.optional,
          conflicts: dependencies[place]!.incompatible,
          only_link: null,
        })),
      }
    },
    async heads(ids, signal) {
      const projects = await readProjects(ids, headSchema, signal)
      return ids.flatMap((id) => {
        const found = projects.find((one) => one.id === id || one.slug === id)
        if (found === undefined) return []
        const kind = found.project_type === 'modpack' ? 'serverpack' : (kindOfVersion(found) ?? 'mod')
        return [{ id, title: found.title, icon_url: found.icon_url || null, kind }]
      })
    },
    async versions(name, context, signal) {
      const { id } = splitPackageName(name)
      const versions = await readVersions(id, context, signal)
      const slug = versions[0]?.project_id === id ? null : id
      const gone = await findGone(versions, signal)
      const manifests = await Promise.all(
        versions.map((version) => seal(version, { slug, gone, isProxy: isProxyEngine(context.engine), signal })),
      )
      const packs = choosePacks(
        versions.filter((version) => kindOfVersion(version) === 'serverpack'),
        {
          name,
          context,
          versionOf: ({ version_number }) => readableVersion(version_number),
          gamesOf: ({ game_versions }) => game_versions,
          loadersOf: ({ loaders }) => loaders,
        },
      )
      const read = await readPacks(packs, (version) => sealPackOf(version, { slug, signal }))
      const candidateOf = (version: Version, manifest: Manifest | undefined): Candidate[] => {
        const channel = version.version_type === 'release' ? 'stable' : 'latest'
        return manifest === undefined ? [] : [{ manifest, channel, withdrawn: false }]
      }
      return [
        ...versions.flatMap((version, place) => candidateOf(version, manifests[place])),
        ...packs.flatMap((version, place) => candidateOf(version, read[place])),
      ]
    },
  }
}

/** Loaders of one family have names of their own there, and releases often name one of them alone. */
const alike = (loader: string): string[] => (loader === 'paper' ? ['paper', 'purpur'] : [loader])

/** Data packs and resource packs are for every game of Java Edition; packs of mods bring their loader. */
const askedLoaders = ({ loaders }: SourceContext) => [
  ...new Set([...loaders.filter((loader) => loader !== 'vanilla').flatMap(alike), 'datapack', 'minecraft', 'mrpack']),
]

function kindOfVersion({
  loaders,
}: Pick<Version, 'loaders'>): 'plugin' | 'mod' | 'datapack' | 'resourcepack' | 'serverpack' | undefined {
  if (loaders.includes('mrpack')) return 'serverpack'
  if (loaders.some((loader) => pluginLoaders.includes(loader))) return 'plugin'
  if (loaders.some((loader) => modLoaders.includes(loader))) return 'mod'
  if (loaders.includes('datapack')) return 'datapack'
  return loaders.includes('minecraft') ? 'resourcepack' : undefined
}

function describeHit(hit: z.output<typeof hitSchema>, wanted: readonly [PackageKind, string][]): Hit | undefined {
  const told = hit.all_project_types ?? [hit.project_type]
  const kind = wanted.find(([, type]) => told.includes(type))?.[0]
  if (kind === undefined) return undefined
  const known = new Set([...pluginLoaders, ...modLoaders, 'datapack'])
  return {
    name: `modrinth:${hit.project_id}`,
    title: hit.title.slice(0, 200),
    summary: hit.description.slice(0, 500),
    author: hit.author.slice(0, 100),
    icon_url: hit.icon_url || null,
    url: `https://modrinth.com/project/${hit.slug ?? hit.project_id}`,
    kind,
    categories: hit.display_categories ?? hit.categories.filter((category) => !known.has(category)),
    downloads: hit.downloads,
    follows: hit.follows,
    updated_at: hit.date_modified,
    latest_version: null,
    game_versions: hit.versions,
    loaders: hit.categories.filter((category) => known.has(category)),
    only_link: false,
  }
}

/** Files lie at its content network, or, where another address is set for it, there. */
function isOwnHost(address: string, base: string): boolean {
  const { protocol, hostname, origin } = new URL(address)
  return (protocol === 'https:' && /(^|\.)modrinth\.com$/.test(hostname)) || origin === new URL(base).origin
}
