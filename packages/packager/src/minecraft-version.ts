/** Versions of Minecraft: `1.21.4` until 2025, `26.1.2` since; two or three numbers, compared as numbers. */

/** @returns its two or three numbers, or null for what is no release (snapshots, pre-releases). */
export function parseMinecraftVersion(version: string): number[] | null {
  if (!/^\d{1,4}(\.\d{1,4}){1,2}$/.test(version)) return null
  return version.split('.').map(Number)
}

/**
 * Order of two releases; `1.21` equals `1.21.0`.
 * @returns below 0 when `one` is older, above 0 when it is newer
 * @throws RangeError when one is no release
 */
export function compareMinecraftVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => {
    const numbers = parseMinecraftVersion(version)
    if (!numbers) throw new RangeError(`${version} is no release of Minecraft`)
    return numbers
  })
  for (let place = 0; place < 3; place += 1) {
    const difference = (left![place] ?? 0) - (right![place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** First release that needs each Java, newest first. */
const javaSince: [string, number][] = [
  ['26.1', 25],
  ['1.20.5', 21],
  ['1.18', 17],
  ['1.17', 16],
  ['1.0', 8],
]

/** Java that a release needs, by the table; what Mojang says of a version (`javaVersion.majorVersion`) goes first. */
export function requiredJava(version: string, stated?: number | undefined): number {
  if (stated !== undefined) return stated
  return javaSince.find(([since]) => compareMinecraftVersions(version, since) >= 0)?.[1] ?? 8
}
