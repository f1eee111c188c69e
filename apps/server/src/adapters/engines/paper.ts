/** Paper, Folia and Velocity, by PaperMC's Fill API, version 3. */
import { DomainError } from '@wakestone/contract/errors'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { compareParsed, parsePlainVersion } from '@wakestone/packager/versions/version'
import { z } from 'zod'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { jarLaunch } from './jar-launch.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'
import { velocityBuild } from './velocity.ts'

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
/** Modern forwarding of players, which we set, is of 1.1; those before 3.3 refuse players of today. */
const OLDEST_PROXY = '3.3'
/** How far down the list a version with a stable build is looked for; above it there are only early ones. */
const LATEST_CANDIDATES = 4

/** Games are numbered as Minecraft is; the proxy counts versions of its own. */
const projects = {
  paper: { name: 'Paper', provides: ['bukkit'] },
  // Plugins have to say that they know its threads, so it is not Paper to them.
  folia: { name: 'Folia', provides: [] },
  velocity: { name: 'Velocity', provides: [] },
} as const

type Options = { fillUrl: string; upstream: Upstream; cache: Cache }

export function createPaperAdapter(id: keyof typeof projects, { fillUrl, upstream, cache }: Options): EngineAdapter {
  const { name, provides } = projects[id]
  const order = id === 'velocity' ? proxyOrder : gameOrder
  const base = `${fillUrl.replace(/\/$/, '')}/projects/${id}`

  /** Newest first. */
  async function readVersions() {
    const url = `${base}/versions`
    const versions = await cache.get(url, () => fetchJson(upstream, { url, schema: versionsSchema }))
    if (!versions)
      throw new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason: 'status 404' })
    return versions
      .filter(({ version, builds }) => order.isOffered(version.id) && builds.length > 0)
      .toSorted((one, other) => order.compare(other.version.id, one.version.id))
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
    id,
    name,
    async listVersions() {
      const versions = (await readVersions()).map(({ version }) => version.id)
      if (versions.length === 0) return null
      const candidates = versions.slice(0, LATEST_CANDIDATES)
      const builds = await Promise.all(candidates.map((version) => readBuild(version)))
      const latest = candidates.find((_, place) => builds[place] && isStable(builds[place])) ?? versions[0]!
      return { latest, versions: versions.map((version) => ({ id: version, type: 'release' as const })) }
    },
    async resolveBuild(version) {
      const entry = (await readVersions()).find((one) => one.version.id === version)
      const build = entry ? await readBuild(version) : null
      const jar = build?.downloads['server:default']
      if (!entry || !build || !jar) throw new DomainError('engine_version_not_found', { engine: id, version })
      const stated = entry.version.java?.version.minimum
      const { size, checksums } = jar
      const url = checkAddress(jar.url, fillUrl)
      if (id === 'velocity') {
        const java = stated ?? 21
        const files = [{ name: 'velocity.jar', url, hash: `sha256:${checksums.sha256}`, size }]
        return { ...velocityBuild({ version, build: build.id, channel: build.channel, java, files }), java }
      }
      const java = requiredJava(version, stated)
      const manifest = sealEngine({
        id,
        version,
        minecraft: version,
        game: 'minecraft-java',
        build: String(build.id),
        java,
        provides: Object.fromEntries(provides.map((provided) => [provided, version])),
        labels: { channel: build.channel.toLowerCase() },
        files: [{ name: 'server.jar', url, hash: `sha256:${checksums.sha256}`, size }],
      })
      return { manifest, java, ...jarLaunch({ minecraft: version, java, jar: `{DIR:${id}}/server.jar` }) }
    },
  }
}

function isStable(build: Build): boolean {
  return build.channel === 'STABLE' || build.channel === 'RECOMMENDED'
}

const gameOrder = {
  isOffered: (version: string) =>
    parseMinecraftVersion(version) !== null && compareMinecraftVersions(version, OLDEST) >= 0,
  compare: compareMinecraftVersions,
}

/** `3.4.0-SNAPSHOT` is the newest there is for months, and what everybody is meant to run. */
const proxyOrder = {
  isOffered: (version: string) =>
    parsePlainVersion(version) !== null && proxyOrder.compare(version, `${OLDEST_PROXY}-0`) >= 0,
  compare: (one: string, other: string): number => compareParsed(parsePlainVersion(one)!, parsePlainVersion(other)!),
}
