/**
 * Forge and NeoForge. Both are put together by an installer, which fetches Mojang's server and many libraries from their
 * makers: it runs inside the server's walls, at the first start of a build, and needs the internet there.
 */
import { DomainError } from '@wakestone/contract/errors'
import { compareMinecraftVersions, parseMinecraftVersion, requiredJava } from '@wakestone/packager/minecraft-version'
import { z } from 'zod'
import type { Digests } from './digests.ts'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { javaLaunch } from './jar-launch.ts'
import { fetchJson, type Cache, type Upstream } from './upstream.ts'

/**
 * Arguments: Java, the installer, the build, the file of arguments that the installer makes; then Java's options up to `--`,
 * and the game's. The mark is written last, so that an installation that was cut off is done again. Builds for Minecraft
 * before 1.17 make a jar instead of such a file.
 */
const START = `set -e
java="$1"; installer="$2"; build="$3"; arguments="$4"; shift 4
mark=libraries/.installed
if [ "$(cat "$mark" 2>/dev/null)" != "$build" ]; then
  echo "[Installer] $build is put together; this takes a few minutes once"
  rm -f "$mark"
  "$java" -jar "$installer" --installServer
  mkdir -p libraries
  printf %s "$build" > "$mark"
fi
options=; [ -f user_jvm_args.txt ] && options=@user_jvm_args.txt
count=$#
while [ "$count" -gt 0 ]; do
  count=$((count - 1)); argument="$1"; shift
  if [ "$argument" = -- ]; then
    if [ -f "$arguments" ]; then set -- "$@" "@$arguments"; else
      jar=$(ls -- *"$build".jar *"$build"-universal.jar *"$build"-shim.jar 2>/dev/null | head -n 1)
      [ -n "$jar" ] || { echo "[Installer] nothing to start was made"; rm -f "$mark"; exit 1; }
      set -- "$@" -jar "$jar"
    fi
  else set -- "$@" "$argument"; fi
done
exec "$java" $options "$@"
`

type Build = { minecraft: string; version: string; installer: string; group: string }
type Kind = {
  name: string
  /** Builds by version of Minecraft, the one to take of each. */
  readBuilds(): Promise<Map<string, Build>>
}
type Options = { upstream: Upstream; cache: Cache; digests: Digests }

const promotionsSchema = z.object({ promos: z.record(z.string().max(64), z.string().max(64)) })
const versionsSchema = z.object({ versions: z.array(z.string().max(64)) })

/** Older ones have installers that nobody serves the parts of any more. */
const OLDEST = '1.12.2'

/** @param filesUrl site with `promotions_slim.json` @param mavenUrl repository of the installers */
export function createForgeAdapter(
  { filesUrl, mavenUrl }: { filesUrl: string; mavenUrl: string },
  options: Options,
): EngineAdapter {
  const url = `${filesUrl.replace(/\/$/, '')}/net/minecraftforge/forge/promotions_slim.json`
  const maven = mavenUrl.replace(/\/$/, '')
  return createInstalledAdapter('forge', options, {
    name: 'Forge',
    async readBuilds() {
      const answer = await options.cache.get(url, () => fetchJson(options.upstream, { url, schema: promotionsSchema }))
      const builds = new Map<string, Build>()
      for (const kind of ['latest', 'recommended'])
        for (const [key, forge] of Object.entries(answer?.promos ?? {})) {
          if (!key.endsWith(`-${kind}`)) continue
          const minecraft = key.slice(0, -kind.length - 1)
          const version = `${minecraft}-${forge}`
          const installer = `${maven}/net/minecraftforge/forge/${version}/forge-${version}-installer.jar`
          builds.set(minecraft, { minecraft, version, installer, group: 'net/minecraftforge/forge' })
        }
      return builds
    },
  })
}

/** @param mavenUrl site with the list of versions and the repository of the installers */
export function createNeoForgeAdapter({ mavenUrl }: { mavenUrl: string }, options: Options): EngineAdapter {
  const maven = mavenUrl.replace(/\/$/, '')
  const url = `${maven}/api/maven/versions/releases/net/neoforged/neoforge`
  return createInstalledAdapter('neoforge', options, {
    name: 'NeoForge',
    async readBuilds() {
      const answer = await options.cache.get(url, () => fetchJson(options.upstream, { url, schema: versionsSchema }))
      const builds = new Map<string, Build>()
      // Oldest first, as the repository lists them: the last one stays, a beta only while there is nothing else.
      for (const version of answer?.versions ?? []) {
        const minecraft = minecraftOfNeoForge(version)
        if (minecraft === null) continue
        const known = builds.get(minecraft)
        if (known && !known.version.includes('-') && version.includes('-')) continue
        const installer = `${maven}/releases/net/neoforged/neoforge/${version}/neoforge-${version}-installer.jar`
        builds.set(minecraft, { minecraft, version, installer, group: 'net/neoforged/neoforge' })
      }
      return builds
    },
  })
}

/** `21.1.226` is for 1.21.1, `21.0.1` for 1.21; with four numbers since 2026: `26.1.2.7-beta` for 26.1.2, `26.1.0.3` for 26.1. */
export function minecraftOfNeoForge(version: string): string | null {
  const numbers = version.split('-')[0]!.split('.').map(Number)
  if (numbers.some((number) => !Number.isSafeInteger(number))) return null
  const [year = 0, minor = 0, patch = 0] = numbers
  if (numbers.length === 4) return patch === 0 ? `${year}.${minor}` : `${year}.${minor}.${patch}`
  if (numbers.length !== 3 || year < 20) return null
  return minor === 0 ? `1.${year}` : `1.${year}.${minor}`
}

function createInstalledAdapter(
  id: 'forge' | 'neoforge',
  { digests }: Options,
  { name, readBuilds }: Kind,
): EngineAdapter {
  const isOffered = (version: string) =>
    parseMinecraftVersion(version) !== null && compareMinecraftVersions(version, OLDEST) >= 0
  return {
    id,
    name,
    async listVersions() {
      const versions = [...(await readBuilds()).keys()]
        .filter(isOffered)
        .toSorted((one, other) => compareMinecraftVersions(other, one))
      const [latest] = versions
      return latest === undefined
        ? null
        : { latest, versions: versions.map((version) => ({ id: version, type: 'release' as const })) }
    },
    async resolveBuild(version) {
      const build = isOffered(version) ? (await readBuilds()).get(version) : undefined
      if (!build) throw new DomainError('engine_version_not_found', { engine: id, version })
      const { sha256, size } = await digests.of({ name: `${id}-${build.version}`, url: build.installer })
      const java = requiredJava(version)
      const manifest = sealEngine({
        id,
        version,
        minecraft: version,
        game: 'minecraft-java',
        build: build.version,
        java,
        // Mods for the one are not for the other; they name the loader by these.
        provides: { [id]: build.version, ...(id === 'forge' ? { 'minecraft-forge': build.version } : {}) },
        files: [{ name: 'installer.jar', url: build.installer, hash: `sha256:${sha256}`, size }],
      })
      const begin = [
        '/bin/sh',
        '-c',
        START,
        id,
        '{JAVA}',
        `{DIR:${id}}/installer.jar`,
        build.version,
        `libraries/${build.group}/${build.version}/unix_args.txt`,
      ]
      return { manifest, java, ...javaLaunch({ minecraft: version, java, begin, run: ['--'] }) }
    },
  }
}
