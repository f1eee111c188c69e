/** What a manifest offers and asks for, in one shape whichever way it was written. */
import type { Manifest } from './manifest.ts'
import { parseSelector, type Selector, type WrittenSelector } from './selector.ts'
import { parseVersion, readRangeOfRead, type ReadVersion } from './versions/range.ts'
import type { VersionFormat } from './versions/version.ts'

/** A name that a package answers to, and in which version. */
export type Offer = ReadVersion & { name: string; format: VersionFormat }

/** A package always offers its own name. */
export function offersOf(manifest: Manifest): Offer[] {
  // Engines that are numbered as the game is offer what they provide in its numbers too; the others in their own.
  const format = manifest.labels.kind === 'engine' && manifest.versionFormat !== 'semver' ? 'minecraft' : 'semver'
  const own = versionOf(manifest)
  return [
    offer(manifest.name, own.version, own.format),
    ...manifest.provides.map(({ name, version }) =>
      offer(name, version, isGame(manifest, name) ? 'minecraft' : format),
    ),
  ]
}

const isGame = ({ labels }: Manifest, name: string) => labels.kind === 'engine' && name === 'minecraft'

const offer = (name: string, text: string, format: VersionFormat): Offer => ({
  name,
  text,
  format,
  parsed: parseVersion(text, format),
})

/**
 * The version of a package itself. One that only counts its builds has that of its content, with the build behind it:
 * Paper's build 151 for 1.20.6 is `1.20.6-151`.
 */
export function versionOf(manifest: Manifest): { version: string; format: VersionFormat } {
  const { packageVersion, contentVersion, versionFormat, labels } = manifest
  if (versionFormat === 'semver') return { version: packageVersion, format: 'semver' }
  if (versionFormat === 'minecraft') return { version: contentVersion, format: 'minecraft' }
  const isBuild = /^\d+$/.test(packageVersion) && packageVersion !== contentVersion
  return {
    version: isBuild ? `${contentVersion}-${packageVersion}` : contentVersion,
    format: labels.kind === 'engine' ? 'minecraft' : 'number',
  }
}

/** All that has to be there besides a package, as it was written, in the order of the manifest. */
export const writtenRequirements = ({ depends, dependencies }: Manifest): readonly WrittenSelector[] =>
  dependencies.length === 0 ? depends : [...depends, ...dependencies]

/** The same, each once, as selectors. */
export const requirementsOf = (manifest: Manifest): Selector[] => readAll(writtenRequirements(manifest))

export const conflictsOf = ({ conflicts = [] }: Manifest): Selector[] => readAll(conflicts)

export const recommendationsOf = ({ recommends = [] }: Manifest): Selector[] => readAll(recommends)

/** An object in a manifest has been looked at with it. */
export const readWritten = (written: WrittenSelector): Selector =>
  typeof written === 'string' ? parseSelector(written) : written

function readAll(written: readonly WrittenSelector[]): Selector[] {
  return [...new Map(written.map((one) => [writtenKey(one), readWritten(one)])).values()]
}

/** The same text only for the same selector; one that is written in two ways may have two. */
export const writtenKey = (written: WrittenSelector): string =>
  typeof written === 'string' ? written : selectorKey(written)

/** The same text for the same selector. */
export function selectorKey({ name, provides, expr, tag, labels }: Selector): string {
  if (labels === undefined && tag === undefined && provides === undefined) return `${name}@${expr ?? ''}`
  const sorted = Object.entries(labels ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([name ?? null, provides ?? null, expr ?? null, tag ?? null, sorted])
}

/** Whether a version that is offered under the name of a selector is in its range. */
export function createOfferTest({ expr }: Selector): (offer: Offer) => boolean {
  if (expr === undefined) return () => true
  const ranges: Partial<Record<VersionFormat, (version: ReadVersion) => boolean>> = {}
  return (version) => (ranges[version.format] ??= readRangeOfRead(expr, version.format))(version)
}

/** Whether a manifest that offers the name of a selector has the rest of what that asks for, but for its version. */
export function hasRest({ name, provides, labels }: Selector, manifest: Manifest): boolean {
  if (labels !== undefined && Object.entries(labels).some(([key, value]) => manifest.labels[key] !== value))
    return false
  if (name === undefined || provides === undefined) return true
  return offersOf(manifest).some((one) => one.name === provides)
}

/**
 * Whether a selector means a manifest. A name means the package called so, and what says that it provides it; where
 * there is a range, it is held against the version that is offered under that name. Its tag is for the caller, who
 * knows of channels.
 */
export function createMatcher(selector: Selector): (manifest: Manifest) => boolean {
  const subject = selector.name ?? selector.provides
  const admits = createOfferTest(selector)
  return (manifest) =>
    offersOf(manifest).some((one) => one.name === subject && admits(one)) && hasRest(selector, manifest)
}
