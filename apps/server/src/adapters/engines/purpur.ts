/** Purpur, by its API, version 2. It names an MD5 alone, so our own digest of each build is kept. */
import { DomainError } from '@wakestone/contract/errors'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { Digests } from './digests.ts'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { jarLaunch } from './jar-launch.ts'
import { fetchJson, type Cache, type Upstream } from './upstream.ts'

const projectSchema = z.object({ versions: z.array(z.string().max(64)) })
const versionSchema = z.object({ builds: z.object({ latest: z.string().max(16), all: z.array(z.string().max(16)) }) })
const buildSchema = z.object({ result: z.string(), md5: z.string().regex(/^[0-9a-f]{32}$/) })

/** Builds that are looked through for one that was built without a fault. */
const CANDIDATES = 5

type Options = { apiUrl: string; upstream: Upstream; cache: Cache; digests: Digests }

export function createPurpurAdapter({ apiUrl, upstream, cache, digests }: Options): EngineAdapter {
  const base = `${apiUrl.replace(/\/$/, '')}/purpur`
  const read = <Schema extends z.ZodType>(path: string, schema: Schema) =>
    cache.get(`${base}${path}`, () => fetchJson(upstream, { url: `${base}${path}`, schema }))

  async function readVersions(): Promise<string[]> {
    const project = await read('', projectSchema)
    return (project?.versions ?? [])
      .filter((id) => parseMinecraftVersion(id))
      .toSorted((one, other) => compareMinecraftVersions(other, one))
  }

  async function findBuild(version: string) {
    const found = await read(`/${encodeURIComponent(version)}`, versionSchema)
    const { latest, all } = found?.builds ?? { latest: '', all: [] }
    const candidates = [...new Set([latest, ...all.toReversed()])].filter((id) => /^\d+$/.test(id))
    for (const id of candidates.slice(0, CANDIDATES)) {
      const build = await read(`/${encodeURIComponent(version)}/${id}`, buildSchema)
      if (build?.result === 'SUCCESS') return { id, md5: build.md5 }
    }
    return null
  }

  return {
    id: 'purpur',
    name: 'Purpur',
    async listVersions() {
      const versions = await readVersions()
      const [latest] = versions
      return latest === undefined
        ? null
        : { latest, versions: versions.map((id) => ({ id, type: 'release' as const })) }
    },
    async resolveBuild(version) {
      const build = (await readVersions()).includes(version) ? await findBuild(version) : null
      if (!build) throw new DomainError('engine_version_not_found', { engine: 'purpur', version })
      const url = `${base}/${version}/${build.id}/download`
      const { sha256, size } = await digests.of({ name: `purpur-${version}-${build.id}`, url, md5: build.md5 })
      const java = requiredJava(version)
      const manifest = sealEngine({
        id: 'purpur',
        version,
        minecraft: version,
        game: 'minecraft-java',
        build: build.id,
        java,
        provides: { paper: version, bukkit: version },
        files: [{ name: 'server.jar', url, hash: `sha256:${sha256}`, size }],
      })
      return { manifest, java, ...jarLaunch({ minecraft: version, java, jar: '{DIR:purpur}/server.jar' }) }
    },
  }
}
