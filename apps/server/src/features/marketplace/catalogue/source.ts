/** The marketplace as a source of packages: its releases as manifests. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { DomainError } from '@wakestone/contract/errors'
import { isReservedName } from '@wakestone/contract/servers/package-loaders'
import { isProxyEngine } from '@wakestone/contract/servers/server'
import type { PackageKind } from '@wakestone/contract/servers/package-search'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import type { ProjectType } from '@wakestone/contract/marketplace/values'
import { publicUrl } from '@wakestone/kit/settings'
import { placePackage } from '@wakestone/packager/placement'
import { readPublished } from '@wakestone/packager/published'
import { requirementsOf, conflictsOf, recommendationsOf } from '@wakestone/packager/requirements'
import type { Candidate } from '@wakestone/packager/solve/request'
import { packageFileUrl } from '#src/adapters/packages/signed-files.ts'
import type { Hit, Source, SourceContext, SourceProject } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import { describeProject, findVisibleProject } from '#src/features/marketplace/projects/service.ts'
import { artifactPathOf, listReleases } from '#src/features/marketplace/releases/service.ts'
import { searchProjects } from '#src/features/marketplace/search/service.ts'
import { hasQuarantined, isAnyChecked, type OfferedRelease, selectOffered } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>

/** What a project is to a server. Data packs have no category of their own, but a label. */
export const kindOfProject = (type: ProjectType, labels: readonly string[]): PackageKind =>
  labels.includes('datapack') && (type === 'config' || type === 'mod') ? 'datapack' : type

/** @param artifactUrl where supervisors reach our artifacts, without a trailing slash */
export function createMarketplaceSource({ db, settings }: Deps, artifactUrl: string): Source {
  async function read(row: OfferedRelease, context: SourceContext | null): Promise<Candidate | undefined> {
    if (isReservedName(row.slug)) return undefined
    const kind = kindOfProject(row.project_type, row.labels)
    const isOpen = row.visibility !== 'private' && row.release_type !== 'private'
    const pack = kind === 'resourcepack' && isOpen ? await offerPack(row) : undefined
    const manifest = readPublished(
      {
        manifest: row.manifest,
        name: row.slug,
        kind,
        gameVersions: row.game_versions,
        loaders: loadersOf(kind, row.loaders),
        sizes: new Map(row.files.map(({ sha256, size }) => [sha256, size])),
        project: row.project_id,
        release: row.id,
      },
      {
        urlOf: ({ hash }) => packageFileUrl(artifactUrl, hash),
        loads: context?.loaders ?? null,
        isProxy: context !== null && isProxyEngine(context.engine),
        offerOf: () => pack,
      },
    )
    return manifest === null ? undefined : { manifest, channel: row.release_type, withdrawn: row.withdrawn }
  }

  /** Players fetch it themselves, from where everybody may. */
  async function offerPack({ project_id, id, files }: OfferedRelease) {
    const [file] = files
    if (file === undefined) return undefined
    const path = `/api/v1/marketplace/projects/${project_id}/releases/${id}/artifacts/${file.id}`
    return { url: `${publicUrl(settings)}${path}`, sha1: await sha1Of(artifactPathOf(settings, file.sha256)) }
  }

  return {
    id: 'wakestone',
    async search({ text, kinds, loaders, gameVersion, language }, { offset, limit }) {
      const only = kinds?.length === 1 ? kinds[0] : undefined
      const asked = {
        name: text,
        labels: only === undefined ? [] : [only],
        game_version: gameVersion,
        loaders,
        has_release: '1' as const,
        sort: 'relevance' as const,
        language,
        after: undefined,
        limit: offset + limit,
        facets: '0' as const,
      }
      const { projects, has_more } = await searchProjects(db, undefined, asked)
      const hits = projects
        .map(describeHit)
        .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
        .slice(offset)
      const isFiltered = loaders !== undefined || gameVersion !== undefined
      const isChecking = isFiltered && hits.length === 0 && (await isAnyChecked(db, { loaders, gameVersion }))
      return { hits, hasMore: has_more, total: null, isChecking }
    },
    async project(id, context) {
      const caller = undefined
      const found = await findVisibleProject(db, caller, id).catch((error: unknown) => {
        if (error instanceof DomainError) return undefined
        throw error
      })
      if (found === undefined) return undefined
      const project = await describeProject(db, found, { caller, language: 'en' })
      const { releases } = await listReleases(db, caller, { key: id, after: undefined, limit: 50, order: 'desc' })
      const candidates = await offered(project.slug, context)
      const original = project.descriptions[0]
      const hit = describeHit(project)
      return {
        ...hit,
        description: { format: 'markdown', text: original?.description ?? '' },
        license: project.license,
        links:
          project.author_info.website_url === null ? [] : [{ kind: 'website', url: project.author_info.website_url }],
        images: project.media.filter(({ kind }) => kind === 'image').map(({ url }) => ({ url, title: '' })),
        releases: releases.map((release): SourceProject['releases'][number] => {
          const manifest = candidates.find(({ manifest: { labels } }) => labels.release === release.id)?.manifest
          return {
            version: release.version,
            channel: release.release_type,
            published_at: release.published_at,
            game_versions: release.game_versions,
            loaders: loadersOf(hit.kind, release.loaders),
            changes: { format: 'markdown', text: release.description },
            bytes: release.artifacts.reduce((sum, { size }) => sum + size, 0),
            requires: manifest ? requirementsOf(manifest) : [],
            recommends: manifest ? recommendationsOf(manifest) : [],
            conflicts: manifest ? conflictsOf(manifest) : [],
            only_link: null,
          }
        }),
      }
    },
    versions: (name, context) => offered(name, context),
    refused: ({ downloadFiles }) =>
      hasQuarantined(
        db,
        downloadFiles.map(({ hash }) => hash.replace(/^sha256:/, '')),
      ),
  }

  async function offered(name: string, context: SourceContext | null): Promise<Candidate[]> {
    const rows = await selectOffered(db, { name, userId: context?.userId ?? null })
    const candidates = await Promise.all(rows.map((row) => read(row, context)))
    return candidates.filter((candidate) => candidate !== undefined)
  }
}

const isReadByTheGame = (kind: PackageKind) => ['datapack', 'resourcepack', 'map', 'config'].includes(kind)
/** What the game itself reads is for every engine of its versions. */
const loadersOf = <Loader>(kind: PackageKind, loaders: Loader[]): Loader[] => (isReadByTheGame(kind) ? [] : loaders)

function describeHit(project: ProjectSummary): Hit {
  const kind = kindOfProject(project.project_type, project.labels)
  return {
    name: project.slug,
    title: project.name,
    summary: project.short_description.slice(0, 500),
    author: project.author_info.author_name.slice(0, 100),
    icon_url: project.media.find((one) => one.kind === 'icon')?.url ?? null,
    url: `/m/${project.slug}`,
    kind,
    categories: project.labels,
    downloads: project.downloads,
    follows: project.follows,
    updated_at: project.updated_at,
    latest_version: project.latest_release?.version ?? null,
    game_versions: project.latest_release?.game_versions ?? [],
    loaders: loadersOf(kind, project.latest_release?.loaders ?? []),
    only_link: placePackage(kind, { name: project.slug, loaders: [] }) === undefined,
  }
}

const known = new Map<string, Promise<string>>()
const mostKnown = 1000

/** A file never changes under its name. */
function sha1Of(path: string): Promise<string> {
  const found = known.get(path)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const reading = (async () => {
    const hash = createHash('sha1')
    for await (const part of createReadStream(path, { highWaterMark: 1024 ** 2 })) hash.update(part as Buffer)
    return hash.digest('hex')
  })()
  known.set(path, reading)
  reading.catch(() => known.delete(path))
  return reading
}
