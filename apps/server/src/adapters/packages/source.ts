/** Where releases of packages come from. */
import type { Manifest } from '@wakestone/packager/manifest'
import { requirementsOf } from '@wakestone/packager/requirements'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'

export type Source = {
  /** Names of its packages begin with it and a colon; those of our own need no such beginning. */
  id: 'wakestone' | 'modrinth' | 'hangar' | 'curseforge'
  /** Releases of what is called so, and of what says that it provides that name; in any order. */
  versions(name: string): Promise<Candidate[]>
}

/** The choice would be larger than anybody's wishes ask for. */
export class TooManyCandidatesError extends Error {}

const mostNames = 2000
const mostCandidates = 50_000

const sourceOf = (name: string) => /^([a-z]+):/.exec(name)?.[1] ?? 'wakestone'
const subjectOf = ({ name, provides }: Selector) => name ?? provides!

/**
 * Every release that the wishes lead to, by the needs of any release on the way.
 * @param known what need not be asked for: its names are answered by itself as well
 * @throws TooManyCandidatesError
 */
export async function gatherCandidates(
  sources: readonly Source[],
  { wanted, known }: { wanted: readonly Selector[]; known: readonly Manifest[] },
): Promise<Candidate[]> {
  const names = new Set([...wanted, ...known.flatMap(requirementsOf)].map(subjectOf))
  const found: Candidate[] = []
  // What is added meanwhile is looked at too.
  for (const name of names) {
    if (names.size > mostNames || found.length > mostCandidates) throw new TooManyCandidatesError()
    for (const source of sources.filter(({ id }) => id === sourceOf(name))) {
      for (const candidate of await source.versions(name)) {
        found.push(candidate)
        for (const selector of requirementsOf(candidate.manifest)) names.add(subjectOf(selector))
      }
    }
  }
  return found
}
