/** Looking for packages in all sources at once: what is found is told as it comes, what fits first. */
import { DomainError } from '@wakestone/contract/errors'
import type {
  PackageHead,
  PackageHit,
  PackageProject,
  PackageSearchLine,
  searchPackagesQuery,
} from '@wakestone/contract/servers/package-search'
import { versionOf } from '@wakestone/packager/requirements'
import type { z } from 'zod'
import {
  type Hit,
  type Source,
  type SourceContext,
  SourceUnavailableError,
  splitPackageName,
  type ToldText,
  type SourceHead,
} from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import { readInventory, sourceContextOf } from './inventory.ts'
import type { InstalledPackage } from './repo.ts'

type Asked = z.output<typeof searchPackagesQuery>
type Deps = { sources: readonly Source[] }

/** A source that takes longer counts as away. */
const patienceMilliseconds = 8_000
/** A list is not kept waiting for its pictures. */
const headMilliseconds = 3_000

export type SearchPlace = { context: SourceContext; installed: readonly InstalledPackage[] } | undefined

export async function findPlace(
  { db }: Pick<Context, 'db'>,
  server: ServerRow | undefined,
  userId: string | null,
): Promise<SearchPlace> {
  if (server === undefined) return undefined
  const inventory = await readInventory(db, server.id)
  return { context: sourceContextOf(inventory, userId), installed: inventory.installed }
}

type Filter = { loaders: readonly string[] | undefined; gameVersion: string | undefined }

function filterOf(place: SearchPlace, { loader, game_version }: Asked): Filter | undefined {
  const loaders = loader === undefined ? place?.context.loaders : [loader]
  const gameVersion = game_version ?? place?.context.gameVersion ?? undefined
  return loaders === undefined && gameVersion === undefined ? undefined : { loaders, gameVersion }
}

/** One JSON value per line. */
export async function* searchPackages(
  { sources }: Deps,
  place: SearchPlace,
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const filter = filterOf(place, asked)
  const chosen = sources.filter(({ id }) => asked.sources === undefined || asked.sources.includes(id))
  // What fits is asked for first, and then the rest; each source goes on by itself.
  const running = new Map(chosen.map((source, index) => [index, searchOne(source, { filter, place, asked, signal })]))
  const next = (index: number) =>
    running
      .get(index)!
      .next()
      .then((result) => ({ index, result }))
  const waiting = new Map([...running.keys()].map((index) => [index, next(index)]))
  // Of what does not fit, nothing is told before every source has told what does.
  const later: PackageSearchLine[] = []
  while (waiting.size > 0) {
    const { index, result } = await Promise.race(waiting.values())
    if (result.done === true) waiting.delete(index)
    else {
      waiting.set(index, next(index))
      const line = result.value
      if ('hit' in line && filter !== undefined && line.hit.fits !== true) later.push(line)
      else yield write(line)
    }
    if (signal.aborted) return
  }
  for (const line of later) yield write(line)
  yield write({ end: true })
}

const write = (line: PackageSearchLine) => `${JSON.stringify(line)}\n`

type Searching = { filter: Filter | undefined; place: SearchPlace; asked: Asked; signal: AbortSignal }

async function* searchOne(
  source: Source,
  { filter, place, asked, signal }: Searching,
): AsyncGenerator<PackageSearchLine> {
  const page = { offset: (asked.page - 1) * asked.limit, limit: asked.limit }
  const query = { text: asked.query, kinds: asked.kinds, language: asked.language }
  const until = AbortSignal.any([signal, AbortSignal.timeout(patienceMilliseconds)])
  const told = new Set<string>()
  try {
    let hasMore = false
    let total: number | null = null
    let isWhole = false
    let isChecking = false
    if (filter !== undefined) {
      const found = await source.search({ ...query, ...filter }, page, until)
      for (const hit of found.hits) {
        told.add(hit.name)
        yield { hit: describeHit(hit, { source: source.id, fits: true, place }) }
      }
      ;({ hasMore, total, isChecking = false } = found)
      isWhole = !found.hasMore && page.offset === 0
    }
    if (filter === undefined || asked.fits === '0') {
      const found = await source.search({ ...query, loaders: undefined, gameVersion: undefined }, page, until)
      for (const hit of found.hits) {
        if (told.has(hit.name)) continue
        const fits = filter === undefined ? null : isWhole ? false : mayFit(hit, filter)
        yield { hit: describeHit(hit, { source: source.id, fits, place }) }
      }
      ;({ hasMore, total } = found)
    }
    yield { source: source.id, has_more: hasMore, total, ...(isChecking && { is_checking: true }) }
  } catch (error) {
    if (!(error instanceof SourceUnavailableError) && !until.aborted) throw error
    yield { source: source.id, has_more: false, total: null, error: 'package_source_unavailable' }
  }
}

/** By what is told of all its releases together: two of them may have one of both each. */
function mayFit(
  { loaders, game_versions }: Pick<Hit, 'loaders' | 'game_versions'>,
  { loaders: wanted, gameVersion }: Filter,
): boolean | null {
  const hasLoader = wanted === undefined || loaders.length === 0 || loaders.some((one) => wanted.includes(one))
  const hasVersion = gameVersion === undefined || game_versions.length === 0 || game_versions.includes(gameVersion)
  return hasLoader && hasVersion ? null : false
}

function describeHit(
  hit: Hit,
  { source, fits, place }: { source: PackageHit['source']; fits: boolean | null; place: SearchPlace },
): PackageHit {
  const entry = place?.installed.find(({ Manifest: { name } }) => name === hit.name)
  return {
    ...hit,
    source,
    fits,
    installed:
      entry === undefined
        ? null
        : { version: versionOf(entry.Manifest).version, asked: entry.InstalledBySelector !== undefined },
  }
}

/** @throws DomainError `resource_not_found`, `package_source_unavailable` */
export async function getPackageProject(
  { sources }: Deps,
  place: SearchPlace,
  name: string,
  signal: AbortSignal,
): Promise<PackageProject> {
  const { source: id, id: project } = splitPackageName(name)
  const found = await Promise.all(
    sources
      .filter((source) => source.id === id)
      .map(async (source) => {
        try {
          const until = AbortSignal.any([signal, AbortSignal.timeout(patienceMilliseconds)])
          return { source, told: await source.project(project, place?.context ?? null, until) }
        } catch (error) {
          if (!(error instanceof SourceUnavailableError) && !signal.aborted) throw error
          throw new DomainError('package_source_unavailable', { source: source.id })
        }
      }),
  )
  const [one] = found.flatMap(({ source, told }) => (told === undefined ? [] : [{ source, told }]))
  if (one === undefined) throw new DomainError('resource_not_found', { resource: 'package', name })
  const { description, releases, ...hit } = one.told
  const filter = place && { loaders: place.context.loaders, gameVersion: place.context.gameVersion ?? undefined }
  const shown = await Promise.all(
    releases.map(async ({ changes, ...release }) => ({
      ...release,
      html: changes === null ? '' : await clean(changes),
      fits: filter === undefined ? null : mayFit(release, filter) !== false,
    })),
  )
  return {
    ...describeHit(hit, { source: one.source.id, fits: filter ? shown.some(({ fits }) => fits) : null, place }),
    license: hit.license,
    links: hit.links,
    images: hit.images,
    html: await clean(description),
    releases: shown,
  }
}

/** Titles of packages of any source, without those that are gone or whose source doesn't answer. */
export async function listPackageHeads(
  { sources }: Deps,
  place: SearchPlace,
  names: readonly string[],
): Promise<PackageHead[]> {
  const signal = AbortSignal.timeout(headMilliseconds)
  const asked = [...new Set(names)].map((name) => ({ name, ...splitPackageName(name) }))
  const heads = await Promise.all(
    sources.map(async (source) => {
      const own = asked.filter(({ source: id }) => id === source.id)
      const told = await headsOf(source, { ids: own.map(({ id }) => id), place, signal })
      return own.flatMap(({ name, id }) => {
        const head = told.find((one) => one.id === id)
        if (head === undefined) return []
        const { title, icon_url, kind } = head
        return [{ name, source: source.id, title, icon_url, kind }]
      })
    }),
  )
  return heads.flat()
}

/** In one call where the source supports it: a page of many packages would otherwise use up its rate limit. */
async function headsOf(
  source: Source,
  { ids, place, signal }: { ids: readonly string[]; place: SearchPlace; signal: AbortSignal },
): Promise<SourceHead[]> {
  const ask = async (read: () => Promise<SourceHead[]>) => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof SourceUnavailableError) && !signal.aborted) throw error
      return []
    }
  }
  if (ids.length === 0) return []
  if (source.heads !== undefined) return ask(() => source.heads!(ids, signal))
  const one = async (id: string) => {
    const told = await source.project(id, place?.context ?? null, signal)
    return told === undefined ? [] : [{ id, title: told.title, icon_url: told.icon_url, kind: told.kind }]
  }
  return (await Promise.all(ids.map((id) => ask(() => one(id))))).flat()
}

/** What cannot be shown safely is not shown. */
async function clean({ format, text }: ToldText): Promise<string> {
  const source = format === 'markdown' ? text : plainTextOf(text)
  return (await renderAuthorMarkdown(source.slice(0, 65_536))) ?? ''
}

/** Of HTML the words, in paragraphs. */
const plainTextOf = (html: string) =>
  html
    .slice(0, 200_000)
    .replace(/<(script|style)\b[^>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, '')
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^>]*>/gi, '\n\n')
    .replace(/<li\b[^>]*>/gi, '- ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
const entities: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
