/**
 * CurseForge, by its API, for operators with a key. Its files are handed out to the key's holder alone, so supervisors fetch
 * them from us; what an author lets nobody else hand out is for people to fetch.
 */
import type { PackageKind } from '@wakestone/contract/servers/package-search'
import { parseMinecraftVersion } from '@wakestone/packager/minecraft-version'
import type { Manifest } from '@wakestone/packager/manifest'
import { curseForgeManifest, type CurseForgePack, readCurseForgeManifest } from '@wakestone/packager/packs/curseforge'
import { checkPackPath, type PackFile } from '@wakestone/packager/packs/pack'
import { sealPack } from '@wakestone/packager/packs/seal'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'
import { z } from 'zod'
import { type Hit, type Source, type SourceContext, SourceUnavailableError, splitPackageName } from '../source.ts'
import { createPackLists } from '../packs/pack-lists.ts'
import { choosePacks, readPacks } from '../packs/pack-releases.ts'
import { createAsking } from './asking.ts'
import { readableVersion, releaseLabel, sealForeign } from './manifest.ts'

const MINECRAFT = 432
/** Of all that is there, only the first ten thousand can be looked at. */
const deepest = 10_000

const text = z.string().nullish()
const fileSchema = z.object({
  id: z.number().int(),
  modId: z.number().int(),
  displayName: z.string(),
  fileName: z.string(),
  /** 1 release, 2 beta, 3 alpha. */
  releaseType: z.number().int(),
  isAvailable: z.boolean().default(true),
  hashes: z.array(z.object({ value: z.string(), algo: z.number().int() })).default([]),
  fileDate: z.string(),
  fileLength: z.number().int(),
  downloadUrl: text,
  /** Versions of the game and names of loaders, mixed. */
  gameVersions: z.array(z.string()).default([]),
  dependencies: z.array(z.object({ modId: z.number().int(), relationType: z.number().int() })).default([]),
})
type File = z.output<typeof fileSchema>
const modSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  summary: z.string(),
  classId: z.number().int().nullish(),
  downloadCount: z.number(),
  thumbsUpCount: z.number().nullish(),
  logo: z.object({ thumbnailUrl: z.string() }).nullish(),
  links: z.object({ websiteUrl: text, wikiUrl: text, issuesUrl: text, sourceUrl: text }),
  authors: z.array(z.object({ name: z.string() })).default([]),
  categories: z.array(z.object({ name: z.string() })).default([]),
  screenshots: z.array(z.object({ url: z.string(), title: z.string().nullish() })).default([]),
  dateModified: z.string(),
  allowModDistribution: z.boolean().nullish(),
  latestFilesIndexes: z.array(z.object({ gameVersion: z.string(), modLoader: z.number().int().nullish() })).default([]),
})
type Mod = z.output<typeof modSchema>
const pagination = z.object({
  index: z.number(),
  pageSize: z.number(),
  resultCount: z.number(),
  totalCount: z.number(),
})
const dataOf = <Schema extends z.ZodType>(schema: Schema) => z.object({ data: schema })
const pageOf = <Schema extends z.ZodType>(schema: Schema) => z.object({ data: z.array(schema), pagination })

/** Classes whose projects we can put somewhere. Plugins for Bukkit are one of them. */
const classes: Partial<Record<PackageKind, { slug: string; id: number }>> = {
  mod: { slug: 'mc-mods', id: 6 },
  plugin: { slug: 'bukkit-plugins', id: 5 },
  map: { slug: 'worlds', id: 17 },
  resourcepack: { slug: 'texture-packs', id: 12 },
  datapack: { slug: 'data-packs', id: 6945 },
  serverpack: { slug: 'modpacks', id: 4471 },
}
type Kind = 'mod' | 'plugin' | 'map' | 'resourcepack' | 'datapack' | 'serverpack'
const kindOfClass = new Map(Object.entries(classes).map(([kind, { id }]) => [id, kind as Kind]))

const loaderNumbers: Record<string, number> = { forge: 1, fabric: 4, quilt: 5, neoforge: 6 }
const loaderNames = new Map(Object.entries(loaderNumbers).map(([name, number]) => [number, name]))
const loaderWords = ['forge', 'fabric', 'quilt', 'neoforge']

type Options = { url: string; key: string; userAgent: string }

export function createCurseForgeSource({ url, key, userAgent }: Options): Source {
  const base = `${url.replace(/\/$/, '')}/v1`
  const asking = createAsking({ source: 'curseforge', base, headers: { 'user-agent': userAgent, 'x-api-key': key } })

  async function readMod(id: string, signal: AbortSignal): Promise<Mod | undefined> {
    if (!/^\d{1,12}$/.test(id)) return undefined
    return (await asking.get(`/mods/${id}`, dataOf(modSchema), signal))?.data
  }

  /** Each of them; what it leaves out of `gameVersion` we would leave out as well. */
  async function readFiles(
    id: string,
    { context, isPack }: { context: SourceContext | null; isPack: boolean },
    signal: AbortSignal,
  ): Promise<File[]> {
    const loader = isPack ? undefined : context?.loaders.find((one) => loaderNumbers[one] !== undefined)
    const files: File[] = []
    for (let index = 0; index < 200; index += 50) {
      const query = new URLSearchParams({ index: String(index), pageSize: '50' })
      const found = await asking.get(`/mods/${id}/files?${query}`, pageOf(fileSchema), signal)
      files.push(...(found?.data ?? []))
      if (found === null || index + 50 >= found.pagination.totalCount) break
    }
    return files
      .filter(({ isAvailable }) => isAvailable)
      .filter((file) => loader === undefined || fitsLoaders(file, context?.loaders ?? []))
  }

  async function openFile(address: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    if (!isOwnHost(address, base)) throw new SourceUnavailableError('curseforge', { reason: 'another host' })
    const response = await fetch(address, { headers: { 'user-agent': userAgent, 'x-api-key': key }, signal }).catch(
      (error: unknown) => {
        throw new SourceUnavailableError('curseforge', { reason: 'no answer', cause: error })
      },
    )
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      throw new SourceUnavailableError('curseforge', { reason: `status ${response.status}` })
    }
    return response.body
  }

  const lists = createPackLists('curseforge')

  async function postAll<Schema extends z.ZodType>(
    path: string,
    { field, ids, schema, signal }: { field: string; ids: readonly number[]; schema: Schema; signal: AbortSignal },
  ): Promise<z.output<Schema>[]> {
    const all: z.output<Schema>[] = []
    for (let at = 0; at < ids.length; at += 500) {
      const body = { [field]: ids.slice(at, at + 500) }
      const found = await asking.post(path, { body, schema: dataOf(z.array(schema)), signal })
      all.push(...((found?.data ?? []) as z.output<Schema>[]))
    }
    return all
  }

  /** Of a pack all that is in it: its list has numbers, the catalogue has files. */
  async function sealPackOf(file: File, name: string, signal: AbortSignal): Promise<Manifest | undefined> {
    const hash = sha1Of(file)
    const { downloadUrl } = file
    if (!downloadUrl || hash === undefined) return undefined
    const list = await lists.read({ hash, open: (until) => openFile(downloadUrl, until) }, curseForgeManifest, signal)
    return sealListed(readCurseForgeManifest(list), {
      name,
      version: readableVersion(versionOf(file)),
      labels: { [releaseLabel]: String(file.id) },
      archive: { name: 'pack.zip', url: downloadUrl, hash, size: file.fileLength },
      signal,
    })
  }

  async function sealListed(
    { files: listed, ...pack }: CurseForgePack,
    {
      signal,
      ...said
    }: Pick<Parameters<typeof sealPack>[0], 'name' | 'version' | 'labels' | 'archive'> & { signal: AbortSignal },
  ): Promise<Manifest> {
    const asked = { signal }
    const [files, mods] = await Promise.all([
      postAll('/mods/files', { field: 'fileIds', ids: listed.map((one) => one.file), schema: fileSchema, ...asked }),
      postAll('/mods', { field: 'modIds', ids: listed.map((one) => one.project), schema: modSchema, ...asked }),
    ])
    const read = readPackFiles(listed, { files, mods, base })
    return sealPack({
      ...said,
      pack,
      files: read.files,
      embeds: read.embeds,
      leftOut: pack.leftOut + read.leftOut,
      byHand: read.byHand,
    })
  }

  return {
    id: 'curseforge',
    async search({ text: searched, kinds, loaders, gameVersion }, { offset, limit }, signal) {
      const wanted = Object.entries(classes).filter(
        ([kind]) => kinds === undefined || kinds.includes(kind as PackageKind),
      )
      // It looks at one class at a time, and without one at pages and shaders as well.
      const [kind, { id: classId } = { id: 0 }] = pickClass(wanted, loaders) ?? []
      if (kind === undefined || offset + limit > deepest) return { hits: [], hasMore: false, total: 0 }
      const loader = loaders?.map((one) => loaderNumbers[one]).find((one) => one !== undefined)
      const query = new URLSearchParams({
        gameId: String(MINECRAFT),
        classId: String(classId),
        ...(searched !== '' && { searchFilter: searched }),
        ...(gameVersion !== undefined && { gameVersion }),
        // By itself it is passed over.
        ...(loader !== undefined && gameVersion !== undefined && kind === 'mod' && { modLoaderType: String(loader) }),
        sortField: searched === '' ? '6' : '2',
        sortOrder: 'desc',
        index: String(offset),
        pageSize: String(Math.min(limit, 50)),
      })
      const found = await asking.get(`/mods/search?${query}`, pageOf(modSchema), signal)
      if (found === null) return { hits: [], hasMore: false, total: 0 }
      const { index, resultCount, totalCount } = found.pagination
      return {
        hits: found.data.flatMap((mod) => describeHit(mod) ?? []),
        hasMore: index + resultCount < Math.min(totalCount, deepest),
        total: totalCount,
      }
    },
    async project(id, context, signal) {
      const mod = await readMod(id, signal)
      const hit = mod && describeHit(mod)
      if (mod === undefined || hit === undefined) return undefined
      const [description, files] = await Promise.all([
        asking.get(`/mods/${id}/description`, dataOf(z.string()), signal),
        readFiles(id, { context, isPack: hit.kind === 'serverpack' }, signal),
      ])
      const links = [
        ['source', mod.links.sourceUrl],
        ['issues', mod.links.issuesUrl],
        ['wiki', mod.links.wikiUrl],
      ] as const
      return {
        ...hit,
        latest_version: files[0] ? versionOf(files[0]) : null,
        description: { format: 'html', text: description?.data ?? '' },
        license: null,
        links: links.flatMap(([kind, address]) => (address ? [{ kind, url: address }] : [])),
        images: mod.screenshots.slice(0, 20).map((image) => ({ url: image.url, title: image.title ?? '' })),
        releases: files.slice(0, 50).map((file) => ({
          version: versionOf(file),
          channel: channelOf(file),
          published_at: file.fileDate,
          game_versions: gamesOf(file),
          loaders: loadersOf(file),
          changes: null,
          bytes: file.fileLength,
          ...dependenciesOf(file),
          only_link: file.downloadUrl ? null : `${hit.url}/files/${file.id}`,
        })),
      }
    },
    async versions(name, context, signal) {
      const { id } = splitPackageName(name)
      const mod = await readMod(id, signal)
      const kind = mod && kindOfClass.get(mod.classId ?? 0)
      if (mod === undefined || kind === undefined) return []
      const files = await readFiles(id, { context, isPack: kind === 'serverpack' }, signal)
      if (kind === 'serverpack') {
        const packs = choosePacks(files, { name, context, versionOf, gamesOf, loadersOf })
        const read = await readPacks(packs, (file) => sealPackOf(file, name, signal))
        return packs.flatMap((file, place): Candidate[] => {
          const manifest = read[place]
          return manifest === undefined ? [] : [{ manifest, channel: channelOf(file), withdrawn: false }]
        })
      }
      return files.flatMap((file): Candidate[] => {
        const hash = sha1Of(file)
        if (!file.downloadUrl || hash === undefined) return []
        const { requires, recommends, conflicts } = dependenciesOf(file)
        const manifest = sealForeign({
          name,
          aliases: [],
          releaseId: String(file.id),
          version: versionOf(file),
          kind,
          loaders: loadersOf(file),
          gameVersions: gamesOf(file),
          requires,
          recommends,
          conflicts,
          embeds: related(file, [1, 6]).flatMap(({ name: embedded }) => embedded ?? []),
          file: { name: file.fileName, url: file.downloadUrl, hash, size: file.fileLength },
        })
        return manifest === undefined ? [] : [{ manifest, channel: channelOf(file), withdrawn: false }]
      })
    },
    async sealPack({ list, nameOf, archive }, signal) {
      const pack = readCurseForgeManifest(list)
      const { title, version } = pack
      return { title, manifest: await sealListed(pack, { name: nameOf(title), version, labels: {}, archive, signal }) }
    },
    through: {
      covers: (address) => isOwnHost(address, base),
      open: openFile,
    },
  }
}

/** Where a loader of mods is wanted, mods; else plugins; else the first that is asked for. */
function pickClass(wanted: [string, { slug: string; id: number }][], loaders: readonly string[] | undefined) {
  const prefers = loaders?.some((loader) => loaderNumbers[loader] !== undefined) === false ? 'plugin' : 'mod'
  return wanted.find(([kind]) => kind === prefers) ?? wanted[0]
}

const gamesOf = ({ gameVersions }: File) => gameVersions.filter((version) => parseMinecraftVersion(version))
const loadersOf = ({ gameVersions }: File) =>
  gameVersions.map((word) => word.toLowerCase()).filter((word) => loaderWords.includes(word))

/** A file that names no loader is for any: plugins, packs, and mods of before there were several. */
function fitsLoaders(file: File, loaders: readonly string[]): boolean {
  const own = loadersOf(file)
  return own.length === 0 || own.some((loader) => loaders.includes(loader))
}

const channelOf = ({ releaseType }: File): 'stable' | 'latest' => (releaseType === 1 ? 'stable' : 'latest')
/** It knows no versions, only names of files. */
const versionOf = ({ displayName, fileName }: File) =>
  (/\d+(?:\.\d+)+(?:[-+.][\w.+-]*)?/.exec(displayName)?.[0] ?? displayName)
    .replace(/\.(?:jar|zip)$/i, '')
    .slice(0, 100) || fileName.slice(0, 100)

const related = (file: File, types: readonly number[]): Selector[] =>
  file.dependencies
    .filter(({ relationType }) => types.includes(relationType))
    .slice(0, 100)
    .map(({ modId }) => ({ name: `curseforge:${modId}` }))
const dependenciesOf = (file: File) => ({
  requires: related(file, [3]),
  recommends: related(file, [2]),
  conflicts: related(file, [5]),
})

function describeHit(mod: Mod): Hit | undefined {
  const kind = kindOfClass.get(mod.classId ?? 0)
  if (kind === undefined) return undefined
  const { latestFilesIndexes: newest } = mod
  return {
    name: `curseforge:${mod.id}`,
    title: mod.name.slice(0, 200),
    summary: mod.summary.slice(0, 500),
    author: mod.authors[0]?.name.slice(0, 100) ?? '',
    icon_url: mod.logo?.thumbnailUrl || null,
    url: mod.links.websiteUrl || `https://www.curseforge.com/minecraft/${classes[kind]!.slug}/${mod.slug}`,
    kind,
    categories: mod.categories.map(({ name }) => name),
    downloads: Math.round(mod.downloadCount),
    follows: mod.thumbsUpCount ?? null,
    updated_at: mod.dateModified,
    latest_version: null,
    game_versions: [...new Set(newest.map(({ gameVersion }) => gameVersion))],
    loaders: [...new Set(newest.flatMap(({ modLoader }) => loaderNames.get(modLoader ?? 0) ?? []))],
    only_link: mod.allowModDistribution === false,
  }
}

/** Names a file: of the two hashes that are told, one can be trusted. */
function sha1Of(file: File): string | undefined {
  const sha1 = file.hashes.find(({ algo }) => algo === 1)?.value.toLowerCase()
  return sha1 !== undefined && /^[0-9a-f]{40}$/.test(sha1) ? `sha1:${sha1}` : undefined
}

type Listed = { project: number; file: number }

/** Where the files of a pack lie and go; those for players' own games are left out, and some are for people to fetch. */
function readPackFiles(
  listed: readonly Listed[],
  { files, mods, base }: { files: readonly File[]; mods: readonly Mod[]; base: string },
) {
  const fileOf = new Map(files.map((file) => [file.id, file]))
  const modOf = new Map(mods.map((mod) => [mod.id, mod]))
  const read = { files: [] as PackFile[], embeds: [] as string[], leftOut: 0, byHand: [] as string[] }
  for (const { project, file: id } of listed) {
    const mod = modOf.get(project)
    const file = fileOf.get(id)
    if (mod !== undefined && kindOfClass.get(mod.classId ?? 0) !== 'mod') read.leftOut += 1
    else if (file !== undefined && file.gameVersions.includes('Client') && !file.gameVersions.includes('Server'))
      read.leftOut += 1
    else {
      const hash = file && file.modId === project ? sha1Of(file) : undefined
      if (!file?.downloadUrl || hash === undefined || !isOwnHost(file.downloadUrl, base)) {
        const page = mod?.links.websiteUrl || `https://www.curseforge.com/projects/${project}`
        read.byHand.push(`${page}${mod?.links.websiteUrl ? `/files/${id}` : ''}`)
        continue
      }
      const path = checkPackPath(`mods/${file.fileName}`)
      read.files.push({ path, url: file.downloadUrl, hash, size: file.fileLength })
      read.embeds.push(`curseforge:${project}`)
    }
  }
  return read
}

function isOwnHost(address: string, base: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  return (protocol === 'https:' && /(^|\.)forgecdn\.net$/.test(hostname)) || origin === new URL(base).origin
}
