/** From a release of another catalogue to a manifest for the solver. */
import { sealManifest } from '@wakestone/packager/hash'
import { type Manifest, manifestSchema } from '@wakestone/packager/manifest'
import { parseMinecraftVersion } from '@wakestone/packager/minecraft-version'
import { type PlacedKind, placePackage } from '@wakestone/packager/placement'
import type { Selector } from '@wakestone/packager/selector'
import { MAX_RANGE_LENGTH } from '@wakestone/packager/versions/range'
import { parsePlainVersion } from '@wakestone/packager/versions/version'

export type ForeignRelease = {
  /** `modrinth:P7dR8mSH`. */
  name: string
  /** Other names that it is asked for by, such as that with its slug. */
  aliases: readonly string[]
  /** Names this one release, whatever its version is called. */
  releaseId: string
  version: string
  kind: PlacedKind
  loaders: readonly string[]
  gameVersions: readonly string[]
  requires: readonly Selector[]
  recommends: readonly Selector[]
  conflicts: readonly Selector[]
  /** Names of what it brings along. */
  embeds: readonly string[]
  file: { name: string; url: string; hash: string; size: number | null }
}

/** By which a dependency on one release names it: several may have the same version. */
export const releaseLabel = 'release'

/** @returns undefined for what cannot be installed, or is said in a way that nobody can read */
export function sealForeign(release: ForeignRelease): Manifest | undefined {
  const { name, aliases, kind, loaders, gameVersions, requires, recommends, conflicts, embeds, file } = release
  const version = readableVersion(release.version)
  const placement = placePackage(kind, { name: folderName(name), loaders })
  if (placement === undefined || !isPlainName(file.name)) return undefined
  const range = gameRange(gameVersions)
  const result = manifestSchema.omit({ ManifestHash: true }).safeParse({
    manifestVersion: 1,
    name,
    packageVersion: version,
    contentVersion: release.version,
    versionFormat: 'semver',
    ...placement,
    depends: [...requires, ...(range === null ? [] : [{ provides: 'minecraft', expr: range }])],
    dependencies: [],
    conflicts,
    recommends,
    provides: [...aliases, ...embeds].map((provided) => ({ name: provided, version })),
    setEnv: [],
    labels: { kind, [releaseLabel]: release.releaseId },
    filesHash: null,
    downloadFiles: [{ ...file, unpack: kind === 'map' ? 'zip' : 'none', strip: 0 }],
  })
  return result.success ? sealManifest(result.data) : undefined
}

const folderName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase()

/** One part of a path, with nothing in it that a system reads otherwise. */
export const isPlainName = (name: string): boolean =>
  name.length <= 200 &&
  !name.startsWith('.') &&
  !/[\\/:*?"<>|\p{Cc}]/u.test(name) &&
  !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)

/**
 * A version as it can be put in order. Authors write loader and game beside it: `mc1.21.4-0.6.9-fabric`, `fabric-2.1`.
 * What stays in no order is compared as a text.
 */
export function readableVersion(text: string): string {
  // A loader at the end is no pre-release.
  const trimmed = text
    .trim()
    .slice(0, 100)
    .replace(/^[vV](?=\d)/, '')
    .replace(loaderAtEnd, '')
  if (parsePlainVersion(trimmed)) return trimmed
  const words =
    /^(?:mc|minecraft)?[\d.x]+$|^(?:fabric|forge|neoforge|quilt|paper|spigot|bukkit|velocity|release|version)$/i
  const parts = trimmed.split(/[-_ +]+/)
  const own = parts.filter((part) => part !== '')
  // The game's version stands in front as `mc1.21.4`; a number that stands alone is the release's own.
  while (own.length > 1 && /^(?:mc|minecraft)[\d.x]+$|^[A-Za-z]+$/i.test(own[0]!)) own.shift()
  while (own.length > 1 && words.test(own.at(-1)!)) own.pop()
  const rest = own.join('-')
  return parsePlainVersion(rest) ? rest : trimmed
}

const loaderAtEnd = /[-_+](?:fabric|forge|neoforge|quilt|paper|spigot|bukkit|folia|velocity)$/i

/** The releases of the game that are named; as many of the newest as a range holds. */
export function gameRange(versions: readonly string[]): string | null {
  const releases = [...new Set(versions)].filter((version) => parseMinecraftVersion(version))
  if (releases.length === 0) return null
  let range = ''
  for (const version of releases.toReversed()) {
    const longer = range === '' ? `=${version}` : `${range} || =${version}`
    if (longer.length > MAX_RANGE_LENGTH) break
    range = longer
  }
  return range
}
