/**
 * Hangar, PaperMC's own, by its API, version 1. A release has files for several platforms; some only lead elsewhere, without
 * a hash: those are for people to fetch.
 */
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'
import { z } from 'zod'
import { type Hit, type Source, type SourceContext, splitPackageName } from '../source.ts'
import { createAsking } from './asking.ts'
import { sealForeign } from './manifest.ts'

const platforms = ['PAPER', 'WATERFALL', 'VELOCITY'] as const
const byPlatform = <Schema extends z.ZodType>(schema: Schema) => z.partialRecord(z.enum(platforms), schema).catch({})

const projectSchema = z.object({
  name: z.string(),
  namespace: z.object({ owner: z.string(), slug: z.string().max(128) }),
  stats: z.object({ downloads: z.number().int(), stars: z.number().int() }),
  category: z.string(),
  description: z.string(),
  lastUpdated: z.string(),
  visibility: z.string(),
  avatarUrl: z.string().nullish(),
  settings: z
    .object({ license: z.object({ name: z.string().nullish(), type: z.string().nullish() }).nullish() })
    .nullish(),
  supportedPlatforms: byPlatform(z.array(z.string())),
  mainPageContent: z.string().nullish(),
})
type Project = z.output<typeof projectSchema>
const pageOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    pagination: z.object({ limit: z.number(), offset: z.number(), count: z.number() }),
    result: z.array(schema),
  })

const versionSchema = z.object({
  name: z.string(),
  createdAt: z.string(),
  description: z.string().nullish(),
  visibility: z.string(),
  channel: z.object({ name: z.string(), flags: z.array(z.string()).default([]) }),
  downloads: byPlatform(
    z.object({
      fileInfo: z
        .object({ name: z.string(), sizeBytes: z.number().int(), sha256Hash: z.string().regex(/^[0-9a-f]{64}$/) })
        .nullish(),
      externalUrl: z.string().nullish(),
      downloadUrl: z.string().nullish(),
    }),
  ),
  pluginDependencies: byPlatform(
    z.array(z.object({ name: z.string(), required: z.boolean(), externalUrl: z.string().nullish() })),
  ),
  platformDependencies: byPlatform(z.array(z.string())),
})
type Version = z.output<typeof versionSchema>

/** It gives no more at a time. */
const mostProjects = 25
const mostVersions = 25
/** Pages of releases that are read for the solver. */
const pages = 4

type Options = { url: string; userAgent: string }

export function createHangarSource({ url, userAgent }: Options): Source {
  const base = url.replace(/\/$/, '')
  const asking = createAsking({ source: 'hangar', base, headers: { 'user-agent': userAgent } })

  async function readVersions(slug: string, { most, signal }: { most: number; signal: AbortSignal }) {
    const versions: Version[] = []
    for (let page = 0; page < most; page += 1) {
      const query = new URLSearchParams({ limit: String(mostVersions), offset: String(page * mostVersions) })
      const path = `/projects/${encodeURIComponent(slug)}/versions?${query}`
      const found = await asking.get(path, pageOf(versionSchema), signal)
      versions.push(...(found?.result ?? []))
      if (found === null || versions.length >= found.pagination.count || found.result.length === 0) break
    }
    return versions.filter(({ visibility }) => visibility === 'public')
  }

  return {
    id: 'hangar',
    async search({ text, kinds, loaders, gameVersion }, { offset, limit }, signal) {
      const platform = platformOf(loaders)
      if ((kinds !== undefined && !kinds.includes('plugin')) || platform === null)
        return { hits: [], hasMore: false, total: 0 }
      const query = new URLSearchParams({
        ...(text !== '' && { query: text }),
        platform,
        ...(gameVersion !== undefined && { version: gameVersion }),
        sort: '-downloads',
        limit: String(Math.min(limit, mostProjects)),
        offset: String(offset),
      })
      const found = await asking.get(`/projects?${query}`, pageOf(projectSchema), signal)
      const projects = (found?.result ?? []).filter(({ visibility }) => visibility === 'public')
      const count = found?.pagination.count ?? 0
      return {
        hits: projects.map(describeHit),
        hasMore: offset + (found?.result.length ?? 0) < count && projects.length > 0,
        total: count,
      }
    },
    async project(id, _context, signal) {
      const project = await asking.get(`/projects/${encodeURIComponent(id)}`, projectSchema, signal)
      if (project === null || project.visibility !== 'public') return undefined
      const versions = await readVersions(id, { most: 1, signal })
      const address = addressOf(project)
      return {
        ...describeHit(project),
        latest_version: versions[0]?.name ?? null,
        description: { format: 'markdown', text: project.mainPageContent ?? '' },
        license: project.settings?.license?.name || project.settings?.license?.type || null,
        links: [],
        images: [],
        releases: versions.map((version) => {
          const { file, loaders } = fileOf(version, null)
          return {
            version: version.name,
            channel: channelOf(version),
            published_at: version.createdAt,
            game_versions: version.platformDependencies.PAPER ?? [],
            loaders: [...loaders],
            changes: version.description ? { format: 'markdown' as const, text: version.description } : null,
            bytes: file?.size ?? null,
            ...dependenciesOf(version, 'PAPER'),
            conflicts: [],
            only_link: file === undefined ? `${address}/versions/${encodeURIComponent(version.name)}` : null,
          }
        }),
      }
    },
    async versions(name, context, signal) {
      const { id } = splitPackageName(name)
      const versions = await readVersions(id, { most: pages, signal })
      return versions.flatMap((version): Candidate[] => {
        const { file, loaders, platform } = fileOf(version, context)
        if (file === undefined || platform === undefined || !isOwnHost(file.url, base)) return []
        const { requires, recommends } = dependenciesOf(version, platform)
        const manifest = sealForeign({
          name,
          aliases: [],
          releaseId: version.name,
          version: version.name,
          kind: 'plugin',
          loaders,
          gameVersions: version.platformDependencies[platform] ?? [],
          requires,
          recommends,
          conflicts: [],
          embeds: [],
          file,
        })
        return manifest === undefined ? [] : [{ manifest, channel: channelOf(version), withdrawn: false }]
      })
    },
  }
}

/** @returns null where none of these is a platform of it */
function platformOf(loaders: readonly string[] | undefined): (typeof platforms)[number] | null {
  if (loaders === undefined || loaders.some((loader) => ['paper', 'folia', 'spigot', 'bukkit'].includes(loader)))
    return 'PAPER'
  return loaders.includes('velocity') ? 'VELOCITY' : null
}

const loadersOf = { PAPER: ['paper'], WATERFALL: ['waterfall'], VELOCITY: ['velocity'] } as const

/** The file for a server, or, for people, the first there is. */
function fileOf(version: Version, context: SourceContext | null) {
  const wanted = context === null ? platforms : [platformOf(context.loaders)]
  const platform = platforms.find((one) => wanted.includes(one) && version.downloads[one] !== undefined)
  const download = platform && version.downloads[platform]
  const loaders: readonly string[] = platform ? loadersOf[platform] : []
  if (!download?.fileInfo || !download.downloadUrl) return { file: undefined, loaders, platform }
  const { name, sizeBytes, sha256Hash } = download.fileInfo
  return { file: { name, url: download.downloadUrl, hash: `sha256:${sha256Hash}`, size: sizeBytes }, loaders, platform }
}

/** What lies elsewhere cannot be had by us: its owner sees the link at the project's page. */
function dependenciesOf(version: Version, platform: (typeof platforms)[number]) {
  const told = (version.pluginDependencies[platform] ?? []).filter(({ externalUrl }) => !externalUrl).slice(0, 100)
  const of = (required: boolean): Selector[] =>
    told.filter((one) => one.required === required).map(({ name }) => ({ name: `hangar:${name}` }))
  return { requires: of(true), recommends: of(false) }
}

const channelOf = ({ channel }: Version): 'stable' | 'latest' =>
  channel.flags.includes('UNSTABLE') || channel.name !== 'Release' ? 'latest' : 'stable'

const addressOf = ({ namespace: { owner, slug } }: Project) => `https://hangar.papermc.io/${owner}/${slug}`

function describeHit(project: Project): Hit {
  return {
    name: `hangar:${project.namespace.slug}`,
    title: project.name.slice(0, 200),
    summary: project.description.slice(0, 500),
    author: project.namespace.owner.slice(0, 100),
    icon_url: project.avatarUrl || null,
    url: addressOf(project),
    kind: 'plugin',
    categories: [project.category],
    downloads: project.stats.downloads,
    follows: project.stats.stars,
    updated_at: project.lastUpdated,
    latest_version: null,
    game_versions: project.supportedPlatforms.PAPER ?? [],
    loaders: platforms.flatMap((platform) => (project.supportedPlatforms[platform] ? loadersOf[platform] : [])),
    only_link: false,
  }
}

function isOwnHost(address: string, base: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return (
    (protocol === 'https:' && /(^|\.)(papermc\.io|hangarcdn\.papermc\.io)$/.test(hostname)) ||
    origin === new URL(base).origin
  )
}
