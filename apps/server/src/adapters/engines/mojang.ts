/** Mojang's releases of Java Edition and their servers, by the version manifest v2. */
import { DomainError } from '@wakestone/contract/errors'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { EngineVersions } from './engine.ts'
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

export type MojangServer = { url: string; hash: string; size: number; java: number }
export type MojangReleases = {
  /** Newest first. @throws DomainError `engine_catalogue_unavailable` */
  list(): Promise<EngineVersions>
  /** @returns null where there is no such release, or none with a server */
  findServer(version: string): Promise<MojangServer | null>
}

type Options = { manifestUrl: string; upstream: Upstream; cache: Cache }

export function createMojangReleases({ manifestUrl, upstream, cache }: Options): MojangReleases {
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
    async list() {
      const { latest, versions } = await readManifest()
      const releases = versions.filter(({ id, type }) => type === 'release' && isOffered(id))
      return {
        latest: latest.release,
        versions: releases
          .toSorted((one, other) => compareMinecraftVersions(other.id, one.id))
          .map(({ id }) => ({ id, type: 'release' as const })),
      }
    },
    async findServer(version) {
      const { versions } = await readManifest()
      const entry = versions.find(({ id, type }) => id === version && type === 'release' && isOffered(id))
      if (!entry) return null
      const url = checkAddress(entry.url, manifestUrl)
      const details = await cache.get(`${url}#${entry.sha1}`, () =>
        fetchJson(upstream, { url, schema: versionSchema, sha1: entry.sha1 }),
      )
      const server = details?.downloads.server
      if (!details || !server) return null
      return {
        url: checkAddress(server.url, manifestUrl),
        hash: `sha1:${server.sha1}`,
        size: server.size,
        java: requiredJava(version, details.javaVersion?.majorVersion),
      }
    },
  }
}
