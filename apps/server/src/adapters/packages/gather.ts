/** All releases that wishes lead to. */
import type { Manifest } from '@wakestone/packager/manifest'
import { requirementsOf } from '@wakestone/packager/requirements'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'
import { type Source, type SourceContext, SourceUnavailableError, splitPackageName } from './source.ts'

/** The choice would be larger than anybody's wishes ask for. */
export class TooManyCandidatesError extends Error {}

const mostNames = 2000
const mostCandidates = 50_000
/** Names that are asked for at a time. */
const atOnce = 8

const subjectOf = ({ name, provides }: Selector) => name ?? provides!

export type Gathered = {
  candidates: Candidate[]
  /** Sources that did not answer: what they have is not among the candidates. */
  unavailable: string[]
}

/**
 * Every release that the wishes lead to, by the needs of any release on the way. A source that is away takes nothing
 * else with it.
 * @param known what need not be asked for: its names are answered by itself as well
 * @throws TooManyCandidatesError
 */
export async function gatherCandidates(
  sources: readonly Source[],
  {
    wanted,
    known,
    context,
    signal,
  }: { wanted: readonly Selector[]; known: readonly Manifest[]; context: SourceContext; signal: AbortSignal },
): Promise<Gathered> {
  const names = new Set([...wanted, ...known.flatMap(requirementsOf)].map(subjectOf))
  const asked = new Set<string>()
  const candidates: Candidate[] = []
  const unavailable = new Set<string>()

  async function ask(name: string): Promise<void> {
    const from = splitPackageName(name).source
    for (const source of sources.filter(({ id }) => id === from)) {
      try {
        candidates.push(...(await source.versions(name, context, signal)))
      } catch (error) {
        if (!(error instanceof SourceUnavailableError)) throw error
        unavailable.add(source.id)
      }
    }
  }

  // What is added meanwhile is looked at too.
  for (;;) {
    const next = [...names].filter((name) => !asked.has(name))
    if (next.length === 0) return { candidates, unavailable: [...unavailable] }
    for (let at = 0; at < next.length; at += atOnce) {
      const part = next.slice(at, at + atOnce)
      const before = candidates.length
      for (const name of part) asked.add(name)
      await Promise.all(part.map(ask))
      for (const { manifest } of candidates.slice(before))
        for (const selector of requirementsOf(manifest)) names.add(subjectOf(selector))
      if (names.size > mostNames || candidates.length > mostCandidates) throw new TooManyCandidatesError()
    }
  }
}
