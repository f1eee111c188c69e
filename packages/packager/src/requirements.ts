/** What a manifest offers and asks for, in one shape whichever way it was written. */
import type { Manifest } from './manifest.ts'
import { parseSelector, type Selector, type WrittenSelector } from './selector.ts'
import { readRange } from './versions/range.ts'
import type { VersionFormat } from './versions/version.ts'

/** A name that a package answers to, and in which version. */
export type Offer = { name: string; version: string; format: VersionFormat }

/** A package always offers its own name. */
export function offersOf(manifest: Manifest): Offer[] {
  const format = manifest.labels.kind === 'engine' ? 'minecraft' : 'semver'
  return [
    { name: manifest.name, ...versionOf(manifest) },
    ...manifest.provides.map(({ name, version }) => ({ name, version, format }) as const),
  ]
}

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

/** All that has to be there besides a package, each once, in the order of the manifest. */
export function requirementsOf({ depends, dependencies }: Manifest): Selector[] {
  return unique([...depends, ...dependencies])
}

export const conflictsOf = ({ conflicts = [] }: Manifest): Selector[] => unique(conflicts)

export const recommendationsOf = ({ recommends = [] }: Manifest): Selector[] => unique(recommends)

function unique(written: readonly WrittenSelector[]): Selector[] {
  const selectors = new Map<string, Selector>()
  for (const one of written) {
    const selector = parseSelector(one)
    const key = selectorKey(selector)
    if (!selectors.has(key)) selectors.set(key, selector)
  }
  return [...selectors.values()]
}

/** The same text for the same selector. */
export function selectorKey({ name, provides, expr, tag, labels = {} }: Selector): string {
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([name ?? null, provides ?? null, expr ?? null, tag ?? null, sorted])
}

/**
 * Whether a selector means a manifest. A name means the package called so, and what says that it provides it; where
 * there is a range, it is held against the version that is offered under that name. Its tag is for the caller, who
 * knows of channels.
 */
export function createMatcher(selector: Selector): (manifest: Manifest) => boolean {
  const { name, provides, expr, labels = {} } = selector
  const wanted = Object.entries(labels)
  const ranges = new Map<VersionFormat, (version: string) => boolean>()
  const admits = (offer: Offer) => {
    if (expr === undefined) return true
    let range = ranges.get(offer.format)
    if (!range) ranges.set(offer.format, (range = readRange(expr, offer.format)))
    return range(offer.version)
  }
  return (manifest) => {
    if (wanted.some(([key, value]) => manifest.labels[key] !== value)) return false
    const offers = offersOf(manifest)
    if (name !== undefined && provides !== undefined && !offers.some((offer) => offer.name === provides)) return false
    return offers.some((offer) => offer.name === (name ?? provides) && admits(offer))
  }
}
