/**
 * Spigot, which nobody may hand out: its makers' BuildTools put it together on the server itself, at the first start of a
 * version, inside its walls. That takes minutes, git, a compiler and the internet there.
 */
import { DomainError } from '@wakestone/contract/errors'
import { z } from 'zod'
import type { Digests } from './digests.ts'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { javaLaunch } from './jar-launch.ts'
import type { MojangReleases } from './mojang.ts'
import { fetchJson, type Cache, type Upstream } from './upstream.ts'

/**
 * Arguments: Java, BuildTools, the version; then Java's options and the game's. The jar is moved to its place last, so that
 * a build that was cut off is done again. Sources stay for no second build: they are larger than most worlds.
 */
const START = `set -e
java="$1"; tools="$2"; version="$3"; shift 3
jar=".spigot/spigot-$version.jar"
if [ ! -f "$jar" ]; then
  command -v git >/dev/null || { echo "[BuildTools] Spigot is built with git, which this machine does not have."; exit 1; }
  echo "[BuildTools] Spigot $version is built; this takes ten minutes or more, once"
  rm -rf .spigot; mkdir -p .spigot/work; here=$(pwd)
  # Everything that is fetched and made lies there, Maven's own folder too.
  ( cd .spigot/work && HOME="$here/.spigot/work" GIT_CONFIG_NOSYSTEM=1 "$java" -Xmx768M "-Duser.home=$here/.spigot/work" \\
    -jar "$tools" --nogui --rev "$version" --output-dir "$here/.spigot" --final-name built.jar )
  [ -f .spigot/built.jar ] || { echo "[BuildTools] nothing to start was made"; exit 1; }
  rm -rf .spigot/work
  mv .spigot/built.jar "$jar"
fi
exec "$java" "$@"
`

const hubSchema = z.object({ refs: z.record(z.string().max(64), z.string().max(128)) })
const jobSchema = z.object({ number: z.number().int().positive() })

type Options = { hubUrl: string; mojang: MojangReleases; upstream: Upstream; cache: Cache; digests: Digests }

export function createSpigotAdapter({ hubUrl, mojang, upstream, cache, digests }: Options): EngineAdapter {
  const hub = hubUrl.replace(/\/$/, '')
  const job = `${hub}/jenkins/job/BuildTools`
  const read = <Schema extends z.ZodType>(url: string, schema: Schema) =>
    cache.get(url, () => fetchJson(upstream, { url, schema }))
  const readTools = () => read(`${job}/lastSuccessfulBuild/api/json`, jobSchema)
  const findRefs = (version: string) => read(`${hub}/versions/${encodeURIComponent(version)}.json`, hubSchema)

  return {
    id: 'spigot',
    name: 'Spigot',
    /** Of each new game there is one some days later: the newest is looked up, and those before are there. */
    async listVersions() {
      if (!(await readTools())) return null
      const { versions } = await mojang.list()
      const newest = versions.slice(0, 3)
      const found = await Promise.all(newest.map(({ id }) => findRefs(id)))
      const offered = [...newest.filter((_, place) => found[place]), ...versions.slice(newest.length)]
      return offered[0] === undefined ? null : { latest: offered[0].id, versions: offered }
    },
    async resolveBuild(version) {
      const server = await mojang.findServer(version)
      const [refs, tools] = server ? await Promise.all([findRefs(version), readTools()]) : [null, null]
      if (!server || !refs || !tools) throw new DomainError('engine_version_not_found', { engine: 'spigot', version })
      const url = `${job}/${tools.number}/artifact/target/BuildTools.jar`
      const { sha256, size } = await digests.of({ name: `buildtools-${tools.number}`, url })
      const { java } = server
      const manifest = sealEngine({
        id: 'spigot',
        version,
        minecraft: version,
        game: 'minecraft-java',
        format: 'minecraft',
        java,
        provides: { bukkit: version },
        labels: { built: 'on-server' },
        files: [{ name: 'BuildTools.jar', url, hash: `sha256:${sha256}`, size }],
      })
      const begin = ['/bin/sh', '-c', START, 'spigot', '{JAVA}', '{DIR:spigot}/BuildTools.jar', version]
      const launch = javaLaunch({ minecraft: version, java, begin, run: ['-jar', `.spigot/spigot-${version}.jar`] })
      return { manifest, java, needsCompiler: true, ...launch }
    },
  }
}
