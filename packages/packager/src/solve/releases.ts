/** The releases of each package, in the order of how much they are wished for. */
import { offersOf, versionOf, type Offer } from '../requirements.ts'
import type { Selector } from '../selector.ts'
import { compareRead } from '../versions/range.ts'
import type { Candidate, Wish } from './request.ts'

export type PackageVariable = {
  kind: 'package'
  name: string
  /** Those that count, in any order. */
  usable: readonly Candidate[]
  /** The same, the best first. */
  candidates: readonly Candidate[]
  /** Of each candidate, its own name first. */
  offers: readonly (readonly Offer[])[]
}

/** Packages in the order of their names, the releases of each in the order of how much they are wished for. */
export function groupByName(
  candidates: readonly Candidate[],
  { wishes, rankOf, renewed }: { wishes: readonly Wish[]; rankOf: Map<string, number>; renewed: ReadonlySet<string> },
): PackageVariable[] {
  const groups = new Map<string, Candidate[]>()
  const seen = new Set<string>()
  for (const candidate of candidates) {
    const { name, ManifestHash } = candidate.manifest
    if (seen.has(ManifestHash)) continue
    seen.add(ManifestHash)
    const group = groups.get(name)
    if (group) group.push(candidate)
    else groups.set(name, [candidate])
  }
  const names = [...groups.keys()].toSorted((one, other) => (one < other ? -1 : 1))
  return names.map((name) => {
    const asked = wishes.filter(({ selector }) => selector.name === name)
    const isPinned = ({ manifest }: Candidate) =>
      rankOf.has(manifest.ManifestHash) || asked.some(({ selector }) => pins(selector, manifest))
    const usable = groups.get(name)!.filter((one) => (one.channel !== 'private' && !one.withdrawn) || isPinned(one))
    const isByAge = asked.some(({ selector }) => selector.tag === 'latest')
    const kept = renewed.has(name) ? new Map<string, number>() : rankOf
    return lazyPackage(name, usable, (read) => sortByWish(read, { kept, isByAge }))
  })
}

/** Most packages are never looked at: what they offer is read, and put in order, once one is. */
function lazyPackage(
  name: string,
  usable: readonly Candidate[],
  sort: (read: readonly Offered[]) => Offered[],
): PackageVariable {
  let known: Pick<PackageVariable, 'candidates' | 'offers'> | undefined
  const read = () => {
    if (known) return known
    const sorted = sort(usable.map((candidate) => ({ candidate, offers: offersOf(candidate.manifest) })))
    known = { candidates: sorted.map(({ candidate }) => candidate), offers: sorted.map(({ offers }) => offers) }
    return known
  }
  return {
    kind: 'package',
    name,
    usable,
    get candidates() {
      return read().candidates
    },
    get offers() {
      return read().offers
    },
  }
}

/** A selector pins a release that it names exactly, or by the channel that nobody gets by chance. */
function pins(selector: Selector, manifest: Candidate['manifest']): boolean {
  if (selector.tag === 'private') return true
  return selector.expr !== undefined && selector.expr.replace(/^=\s*/, '') === versionOf(manifest).version
}

const channelRank = { stable: 0, latest: 1, private: 2 }

type Offered = { candidate: Candidate; offers: readonly Offer[] }

function sortByWish(
  candidates: readonly Offered[],
  { kept, isByAge }: { kept: ReadonlyMap<string, number>; isByAge: boolean },
): Offered[] {
  const rank = ({ manifest, withdrawn, channel }: Candidate) =>
    (kept.has(manifest.ManifestHash) ? 0 : 8) + (withdrawn ? 4 : 0) + (isByAge ? 0 : channelRank[channel])
  return candidates.toSorted(
    (one, other) =>
      rank(one.candidate) - rank(other.candidate) ||
      compareRead(other.offers[0]!, one.offers[0]!) ||
      // Two of one version: any order will do, as long as it is always the same.
      (one.candidate.manifest.ManifestHash < other.candidate.manifest.ManifestHash ? -1 : 1),
  )
}

export function channelTest({ tag }: Selector): (candidate: Candidate) => boolean {
  if (tag === undefined || tag === 'latest') return () => true
  return ({ channel, manifest }) => channel === tag || manifest.labels.channel === tag
}

/** Variables of the packages that may answer to each name. */
export function indexNames(packages: readonly PackageVariable[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [variable, { name, usable }] of packages.entries()) {
    const names = new Set([name])
    for (const { manifest } of usable) for (const offer of manifest.provides) names.add(offer.name)
    for (const one of names) {
      const known = index.get(one)
      if (known) known.push(variable)
      else index.set(one, [variable])
    }
  }
  return index
}
