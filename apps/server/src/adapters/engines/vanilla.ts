/** Mojang's own server, by the version manifest v2. */
import { DomainError } from '@wakestone/contract/errors'
import { sealManifest } from '@wakestone/packager/hash'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { EngineAdapter } from './engine.ts'
import { jarLaunch } from './jar-launch.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const sha1 = z.string().regex(/^[0-9a-f]{40}$/)
const versionManifestSchema = z.object({
  latest: z.object({ release: z.string(), snapshot: z.string() }),
  versions: z.array(z.object({ id: z.string().max(64), type: z.string(), url: z.url(), sha1 })),
})
const versionSchema = z.object({
  downloads: z.object({ server: z.object({ sha1, size: z.number().int().positive(), url: z.url() }).optional() }),
  javaVersion: z.object({ majorVersion: z.number().int() }).optional(),
})

/** Older ones log through a library that players can make run their code, and have no setting against it. */
const OLDEST = '1.12'

type Options = { manifestUrl: string; upstream: Upstream; cache: Cache }

export function createVanillaAdapter({ manifestUrl, upstream, cache }: Options): EngineAdapter {
  async function readManifest() {
    const manifest = await cache.get(manifestUrl, () =>
      fetchJson(upstream, { url: manifestUrl, schema: versionManifestSchema }),
    )
    if (!manifest)
      throw new DomainError('engine_catalogue_unavailable', { host: new URL(manifestUrl).host, reason: 'status 404' })
    return manifest
  }

  const isOffered = (id: string) => parseMinecraftVersion(id) !== null && compareMinecraftVersions(id, OLDEST) >= 0

  return {
    id: 'vanilla',
    name: 'Vanilla',
    async listVersions() {
      const { latest, versions } = await readManifest()
      const releases = versions.filter(({ id, type }) => type === 'release' && isOffered(id))
      return {
        latest: latest.release,
        versions: releases
          .toSorted((one, other) => compareMinecraftVersions(other.id, one.id))
          .map(({ id }) => ({ id, type: 'release' as const })),
      }
    },
    async resolveBuild(version) {
      const notFound = () => new DomainError('engine_version_not_found', { engine: 'vanilla', version })
      const { versions } = await readManifest()
      const entry = versions.find(({ id, type }) => id === version && type === 'release' && isOffered(id))
      if (!entry) throw notFound()
      const url = checkAddress(entry.url, manifestUrl)
      const details = await cache.get(`${url}#${entry.sha1}`, () =>
        fetchJson(upstream, { url, schema: versionSchema, sha1: entry.sha1 }),
      )
      const server = details?.downloads.server
      if (!details || !server) throw notFound()
      const java = requiredJava(version, details.javaVersion?.majorVersion)
      const manifest = sealManifest({
        manifestVersion: 1,
        name: 'vanilla',
        packageVersion: version,
        contentVersion: version,
        versionFormat: 'minecraft',
        subdir: '.',
        depends: [],
        dependencies: [{ name: 'java', expr: `>=${java}` }],
        provides: [
          { name: 'engine', version },
          { name: 'minecraft', version },
        ],
        setEnv: [],
        labels: { kind: 'engine', game: 'minecraft-java' },
        filesHash: null,
        downloadFiles: [
          {
            name: 'server.jar',
            url: checkAddress(server.url, manifestUrl),
            hash: `sha1:${server.sha1}`,
            size: server.size,
            unpack: 'none',
            strip: 0,
          },
        ],
      })
      return { manifest, java, ...jarLaunch({ packageName: 'vanilla', minecraft: version, java }) }
    },
  }
}
