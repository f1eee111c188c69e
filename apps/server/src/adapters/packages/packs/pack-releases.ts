/** Which releases of a pack are read: each of them is an archive to fetch. */
import type { Manifest } from '@wakestone/packager/manifest'
import { PackError } from '@wakestone/packager/packs/pack'
import { createOfferTest } from '@wakestone/packager/requirements'
import { parseVersion } from '@wakestone/packager/versions/range'
import type { SourceContext } from '../source.ts'

const mostRead = 3

type Reading<Release> = {
  /** Whole, with its source. */
  name: string
  context: SourceContext
  versionOf(release: Release): string
  gamesOf(release: Release): readonly string[]
  loadersOf(release: Release): readonly string[]
}

/**
 * Those that are meant by a range where there is one; else the newest, and the newest for what the server runs.
 * @param releases newest first
 */
export function choosePacks<Release>(releases: readonly Release[], reading: Reading<Release>): Release[] {
  const { name, context, versionOf, gamesOf, loadersOf } = reading
  const ranges = (context.wanted ?? []).filter((one) => one.name === name && one.expr !== undefined)
  if (ranges.length > 0) {
    const tests = ranges.map(createOfferTest)
    const isMeant = (release: Release) => {
      const text = versionOf(release)
      const offer = { name, text, format: 'semver' as const, parsed: parseVersion(text, 'semver') }
      return tests.every((admits) => admits(offer))
    }
    return releases.filter(isMeant).slice(0, mostRead)
  }
  const fitting = releases.filter(
    (release) =>
      (context.gameVersion === null || gamesOf(release).includes(context.gameVersion)) &&
      loadersOf(release).some((loader) => context.loaders.includes(loader)),
  )
  return [...new Set([...releases.slice(0, mostRead), ...fitting.slice(0, 1)])]
}

/**
 * Reads them one after the other, so that one archive at a time lies here.
 * @returns undefined in the place of one that cannot be read
 * @throws PackError where none of them can
 */
export async function readPacks<Release>(
  releases: readonly Release[],
  read: (release: Release) => Promise<Manifest | undefined>,
): Promise<(Manifest | undefined)[]> {
  const manifests: (Manifest | undefined)[] = []
  let fault: PackError | undefined
  for (const release of releases) {
    try {
      manifests.push(await read(release))
    } catch (error) {
      if (!(error instanceof PackError)) throw error
      fault ??= error
      manifests.push(undefined)
    }
  }
  if (fault !== undefined && manifests.every((manifest) => manifest === undefined)) throw fault
  return manifests
}
