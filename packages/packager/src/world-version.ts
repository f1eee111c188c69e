/** Whether a world of Java Edition was saved by a newer game than the one that is to run it. */
import { compareMinecraftVersions, parseMinecraftVersion } from './minecraft-version.ts'

/** As `level.dat` says; null: it does not. */
export type WorldVersion = { version: string | null; dataVersion: number | null }

/** The format of worlds (`DataVersion`) of each release, as far as they are known here; oldest first. */
const dataVersions: readonly (readonly [release: string, dataVersion: number])[] = [
  ['1.9', 169],
  ['1.9.1', 175],
  ['1.9.2', 176],
  ['1.9.3', 183],
  ['1.9.4', 184],
  ['1.10', 510],
  ['1.10.1', 511],
  ['1.10.2', 512],
  ['1.11', 819],
  ['1.11.1', 921],
  ['1.11.2', 922],
  ['1.12', 1139],
  ['1.12.1', 1241],
  ['1.12.2', 1343],
  ['1.13', 1519],
  ['1.13.1', 1628],
  ['1.13.2', 1631],
  ['1.14', 1952],
  ['1.14.1', 1957],
  ['1.14.2', 1963],
  ['1.14.3', 1968],
  ['1.14.4', 1976],
  ['1.15', 2225],
  ['1.15.1', 2227],
  ['1.15.2', 2230],
  ['1.16', 2566],
  ['1.16.1', 2567],
  ['1.16.2', 2578],
  ['1.16.3', 2580],
  ['1.16.4', 2584],
  ['1.16.5', 2586],
  ['1.17', 2724],
  ['1.17.1', 2730],
  ['1.18', 2860],
  ['1.18.1', 2865],
  ['1.18.2', 2975],
  ['1.19', 3105],
  ['1.19.1', 3117],
  ['1.19.2', 3120],
  ['1.19.3', 3218],
  ['1.19.4', 3337],
  ['1.20', 3463],
  ['1.20.1', 3465],
  ['1.20.2', 3578],
  ['1.20.3', 3698],
  ['1.20.4', 3700],
  ['1.20.5', 3837],
  ['1.20.6', 3839],
  ['1.21', 3953],
  ['1.21.1', 3955],
  ['1.21.2', 4080],
  ['1.21.3', 4082],
  ['1.21.4', 4189],
  ['1.21.5', 4325],
  ['1.21.6', 4435],
  ['1.21.7', 4438],
  ['1.21.8', 4440],
  ['1.21.9', 4554],
  ['1.21.10', 4556],
  ['1.21.11', 4671],
  ['26.1', 4786],
  ['26.1.1', 4788],
  ['26.1.2', 4790],
  ['26.2', 4903],
  ['26.3', 5023],
]

/**
 * A game converts older worlds onwards; of a newer one it drops what it does not know.
 * @param version of the game
 * @returns false also where nobody can tell: a snapshot, or a world without a version that is known here
 */
export function isWorldNewer(world: WorldVersion, version: string): boolean {
  if (parseMinecraftVersion(version) === null) return false
  const { dataVersion } = world
  if (dataVersion !== null) {
    const same = dataVersions.findLast(([release]) => compareMinecraftVersions(release, version) <= 0)
    const next = dataVersions.find(([release]) => compareMinecraftVersions(release, version) > 0)
    if (same !== undefined && dataVersion <= same[1]) return false
    if (next !== undefined && dataVersion >= next[1]) return true
    if (same !== undefined && compareMinecraftVersions(same[0], version) === 0) return true
  }
  // The game is newer than what is known here, or the world tells no format: the names have to do.
  if (world.version === null || parseMinecraftVersion(world.version) === null) return false
  return compareMinecraftVersions(world.version, version) > 0
}

/** What people are told of it. */
export const nameWorldVersion = ({ version, dataVersion }: WorldVersion): string =>
  version ?? `DataVersion ${dataVersion ?? '?'}`
