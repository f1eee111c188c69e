/** Paper, by PaperMC's Fill API, version 3. */
import { DomainError } from '@wakestone/contract/errors'
import { sealManifest } from '@wakestone/packager/hash'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { EngineAdapter } from './engine.ts'
import { jarLaunch } from './jar-launch.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const versionSchema = z.object({
  version: z.object({
    id: z.string().max(64),
    java: z.object({ version: z.object({ minimum: z.number().int() }) }).optional(),
  }),
  builds: z.array(z.number().int()),
})
/** Both forms have been seen. */
const versionsSchema = z
  .union([z.array(versionSchema), z.object({ versions: z.array(versionSchema) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.versions))

const buildSchema = z.object({
  id: z.number().int(),
  channel: z.enum(['ALPHA', 'BETA', 'STABLE', 'RECOMMENDED']),
  downloads: z.object({
    'server:default': z
      .object({
        checksums: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
        size: z.number().int().positive(),
        url: z.url(),
      })
      .optional(),
  }),
})
const buildsSchema = z
  .union([z.array(buildSchema), z.object({ builds: z.array(buildSchema) })])
  .transform((answer) => (Array.isArray(answer) ? answer : answer.builds))
type Build = z.infer<typeof buildSchema>

const OLDEST = '1.12.2'
/** How far down the list a version with a stable build is looked for; above it there are only early ones. */
const LATEST_CANDIDATES = 4

type Options = { fillUrl: string; upstream: Upstream; cache: Cache }

export function createPaperAdapter({ fillUrl, upstream, cache }: Options): EngineAdapter {
  const base = `${fillUrl.replace(/\/$/, '')}/projects/paper`

  /** Newest first. */
  async function readVersions() {
    const url = `${base}/versions`
    const versions = await cache.get(url, () => fetchJson(upstream, { url, schema: versionsSchema }))
    if (!versions)
      throw new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason: 'status 404' })
    return versions
      .filter(
        ({ version: { id }, builds }) =>
          parseMinecraftVersion(id) && compareMinecraftVersions(id, OLDEST) >= 0 && builds.length > 0,
      )
      .toSorted((one, other) => compareMinecraftVersions(other.version.id, one.version.id))
  }

  /** The newest build that is meant for everybody; where there is none, the newest. */
  async function readBuild(version: string): Promise<Build | null> {
    const url = `${base}/versions/${encodeURIComponent(version)}/builds`
    const builds = await cache.get(url, () => fetchJson(upstream, { url, schema: buildsSchema }))
    const usable = (builds ?? [])
      .filter((build) => build.downloads['server:default'])
      .toSorted((one, other) => other.id - one.id)
    return usable.find(isStable) ?? usable[0] ?? null
  }

  return {
    id: 'paper',
    name: 'Paper',
    async listVersions() {
      const versions = (await readVersions()).map(({ version }) => version.id)
      if (versions.length === 0) return null
      const candidates = versions.slice(0, LATEST_CANDIDATES)
      const builds = await Promise.all(candidates.map((version) => readBuild(version)))
      const latest = candidates.find((_, place) => builds[place] && isStable(builds[place])) ?? versions[0]!
      return { latest, versions: versions.map((id) => ({ id, type: 'release' as const })) }
    },
    async resolveBuild(version) {
      const entry = (await readVersions()).find(({ version: { id } }) => id === version)
      const build = entry ? await readBuild(version) : null
      const jar = build?.downloads['server:default']
      if (!entry || !build || !jar) throw new DomainError('engine_version_not_found', { engine: 'paper', version })
      const java = requiredJava(version, entry.version.java?.version.minimum)
      const manifest = sealManifest({
        manifestVersion: 1,
        name: 'paper',
        packageVersion: String(build.id),
        contentVersion: version,
        versionFormat: 'number',
        subdir: '.',
        depends: [],
        dependencies: [{ name: 'java', expr: `>=${java}` }],
        provides: [
          { name: 'engine', version },
          { name: 'minecraft', version },
          { name: 'bukkit', version },
        ],
        setEnv: [],
        labels: { kind: 'engine', game: 'minecraft-java', channel: build.channel.toLowerCase() },
        filesHash: null,
        downloadFiles: [
          {
            name: 'server.jar',
            url: checkAddress(jar.url, fillUrl),
            hash: `sha256:${jar.checksums.sha256}`,
            size: jar.size,
            unpack: 'none',
            strip: 0,
          },
        ],
      })
      return { manifest, java, ...jarLaunch({ packageName: 'paper', minecraft: version, java }) }
    },
  }
}

function isStable(build: Build): boolean {
  return build.channel === 'STABLE' || build.channel === 'RECOMMENDED'
}
