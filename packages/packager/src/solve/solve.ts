/**
 * Which packages a server gets: everything that was asked for and all that it needs, or why not and what would work.
 *
 * Kept is what is installed, as far as it can be; then the newest stable release counts, then the newest of all. Private
 * and withdrawn releases count only where they are pinned or installed. The same question has the same answer.
 */
import type { Manifest } from '../manifest.ts'
import { recommendationsOf, selectorKey } from '../requirements.ts'
import type { Selector } from '../selector.ts'
import { attempt, type MissingDependant } from './attempt.ts'
import type { Step } from './explanation.ts'
import { findAlternatives, type Alternative } from './relax.ts'
import { orderForRemoval } from './removal.ts'
import type { SolveRequest } from './request.ts'
import { StepLimitError } from './search.ts'

export type SolveResult = {
  isSolved: boolean
  /** What is to be installed in the end, what was asked for first; empty when nothing works. */
  targets_manifests: Manifest[]
  /** Hashes of what is installed and has no place in the end; what needs others comes before them. */
  uninstall_queue: string[]
  /** Why nothing works. */
  conflicts: Step[]
  /** What would, the smallest changes first. */
  alternatives: Alternative[]
  missing_dependants: MissingDependant[]
  /** What the targets recommend and is not among them. */
  recommended: Selector[]
  steps: number
}

/** The question is too hard to be answered in the steps that it may take. */
export class SolverLimitError extends Error {}

/** @throws SolverLimitError */
export function solve(request: SolveRequest): SolveResult {
  try {
    const outcome = attempt(request)
    const base = { conflicts: [], alternatives: [], missing_dependants: [], recommended: [], steps: outcome.steps }
    if (outcome.targets) {
      return {
        ...base,
        isSolved: true,
        targets_manifests: outcome.targets,
        uninstall_queue: uninstallQueue(request, outcome.targets),
        recommended: missingRecommendations(outcome.targets),
      }
    }
    const { alternatives, steps } = findAlternatives({ ...request, conflicting: outcome.wishes })
    return {
      ...base,
      isSolved: false,
      targets_manifests: [],
      uninstall_queue: [],
      conflicts: outcome.conflicts(),
      alternatives,
      missing_dependants: outcome.missing,
      steps: outcome.steps + steps,
    }
  } catch (error) {
    if (error instanceof StepLimitError) throw new SolverLimitError(`no answer in ${error.steps} steps`)
    throw error
  }
}

function uninstallQueue({ locked, candidates }: SolveRequest, targets: readonly Manifest[]): string[] {
  const staying = new Set(targets.map(({ name }) => name))
  const installed = locked.flatMap((hash) => {
    const found = candidates.find(({ manifest }) => manifest.ManifestHash === hash)
    return found && !staying.has(found.manifest.name) ? [found.manifest] : []
  })
  return orderForRemoval(installed).map(({ ManifestHash }) => ManifestHash)
}

function missingRecommendations(targets: readonly Manifest[]): Selector[] {
  const names = new Set(targets.flatMap(({ name, provides }) => [name, ...provides.map((offer) => offer.name)]))
  const missing = new Map<string, Selector>()
  for (const manifest of targets)
    for (const selector of recommendationsOf(manifest))
      if (!names.has(selector.name ?? selector.provides!)) missing.set(selectorKey(selector), selector)
  return [...missing.values()]
}
