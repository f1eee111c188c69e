/**
 * Fabric and Quilt, by their meta APIs. What their installers would download is in the plan: the loader, its libraries and
 * Mojang's server, each by its hash, so that the first start needs no internet and all servers of a plan are the same.
 */
import { DomainError } from '@wakestone/contract/errors'
import { compareMinecraftVersions, parseMinecraftVersion } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { Digests } from './digests.ts'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { javaLaunch } from './jar-launch.ts'
import type { MojangReleases } from './mojang.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const gamesSchema = z.array(z.object({ version: z.string().max(64) }))
const loadersSchema = z.array(
  z.object({ loader: z.object({ version: z.string().max(64), stable: z.boolean().optional() }) }),
)
const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))
const profileSchema = z.object({
  mainClass: z.string().regex(/^[A-Za-z0-9_.$]{1,200}$/),
  libraries: z
    .array(
      z.object({
        /** Maven's: group, artifact, version, and a classifier where there is one. */
        name: z.string().regex(/^[A-Za-z0-9_.-]{1,100}(:[A-Za-z0-9_.+-]{1,100}){2,3}$/),
        url: z.url(),
        sha256: hex(64).optional(),
        size: z.number().int().positive().optional(),
      }),
    )
    .min(1)
    .max(100),
})

/** What tells one from the other. */
const kinds = {
  fabric: {
    name: 'Fabric',
    gameJar: '-Dfabric.gameJarPath',
    /** Mods say which loader they need by these names. */
    provides: ['fabric-loader', 'fabricloader'],
  },
  quilt: {
    name: 'Quilt',
    gameJar: '-Dloader.gameJarPath',
    provides: ['quilt_loader', 'quilt-loader', 'fabric-loader', 'fabricloader'],
  },
} as const

/** Loaders of before do not know how newer servers are packed. */
const OLDEST = '1.14'

type Options = { metaUrl: string; upstream: Upstream; cache: Cache; digests: Digests; mojang: MojangReleases }

export function createFabricAdapter(
  id: keyof typeof kinds,
  { metaUrl, upstream, cache, digests, mojang }: Options,
): EngineAdapter {
  const { name, gameJar, provides } = kinds[id]
  const base = `${metaUrl.replace(/\/$/, '')}/versions`
  const read = <Schema extends z.ZodType>(path: string, schema: Schema) =>
    cache.get(`${base}${path}`, () => fetchJson(upstream, { url: `${base}${path}`, schema }))

  /** Releases alone, newest first, that Mojang has a server of. */
  async function readVersions(): Promise<string[]> {
    const games = (await read('/game', gamesSchema)) ?? []
    const releases = new Set((await mojang.list()).versions.map(({ id: version }) => version))
    return games
      .map(({ version }) => version)
      .filter((version) => parseMinecraftVersion(version) && compareMinecraftVersions(version, OLDEST) >= 0)
      .filter((version) => releases.has(version))
      .toSorted((one, other) => compareMinecraftVersions(other, one))
  }

  /** The newest that is called stable; Quilt says no more than a version, where early ones have a suffix. */
  async function findLoader(version: string): Promise<string | null> {
    const loaders = ((await read(`/loader/${encodeURIComponent(version)}`, loadersSchema)) ?? []).map(
      ({ loader }) => loader,
    )
    const stable = loaders.find((loader) => loader.stable ?? !loader.version.includes('-'))
    return (stable ?? loaders[0])?.version ?? null
  }

  async function readLibraries(libraries: z.infer<typeof profileSchema>['libraries']) {
    return Promise.all(
      libraries.map(async ({ name: coordinates, url: repository, sha256, size }) => {
        const path = mavenPath(coordinates)
        const url = checkAddress(`${repository.replace(/\/$/, '')}/${path}`, metaUrl)
        const known =
          sha256 === undefined ? await digests.of({ name: coordinates, url }) : { sha256, size: size ?? null }
        return { name: `libraries/${path.split('/').at(-1)!}`, url, hash: `sha256:${known.sha256}`, size: known.size }
      }),
    )
  }

  return {
    id,
    name,
    async listVersions() {
      const versions = await readVersions()
      const [latest] = versions
      return latest === undefined
        ? null
        : { latest, versions: versions.map((version) => ({ id: version, type: 'release' as const })) }
    },
    async resolveBuild(version) {
      const notFound = () => new DomainError('engine_version_not_found', { engine: id, version })
      if (!(await readVersions()).includes(version)) throw notFound()
      const [server, loader] = await Promise.all([mojang.findServer(version), findLoader(version)])
      if (!server || loader === null) throw notFound()
      const path = `/loader/${encodeURIComponent(version)}/${encodeURIComponent(loader)}/server/json`
      const profile = await read(path, profileSchema)
      if (!profile) throw notFound()
      const libraries = await readLibraries(profile.libraries)
      const { java, ...file } = server
      const folder = `{DIR:${id}}`
      const manifest = sealEngine({
        id,
        version,
        minecraft: version,
        game: 'minecraft-java',
        build: loader,
        format: 'semver',
        java,
        provides: Object.fromEntries(provides.map((provided) => [provided, loader])),
        files: [{ name: 'server.jar', ...file }, ...libraries],
      })
      const classPath = libraries.map((library) => `${folder}/${library.name}`).join(':')
      const run = [`${gameJar}=${folder}/server.jar`, '-cp', classPath, profile.mainClass]
      return { manifest, java, ...javaLaunch({ minecraft: version, java, run }) }
    },
  }
}

/** `net.fabricmc:fabric-loader:0.16.9` → `net/fabricmc/fabric-loader/0.16.9/fabric-loader-0.16.9.jar` */
function mavenPath(coordinates: string): string {
  const [group = '', artifact = '', version = '', classifier] = coordinates.split(':')
  const suffix = classifier === undefined ? '' : `-${classifier}`
  return `${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}${suffix}.jar`
}
