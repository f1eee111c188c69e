/** The plan that is nearest to what a server has elsewhere, and the limits in which it still differs. */
import { type SetLimits, setLimitsSchema } from '@wakestone/contract/servers/parameters'
import type { FoundServer } from './model.ts'

type Plan = {
  id: string
  parameters: { memory: number; cpu: number; storage: number }
}

/** The smallest that has the memory, else the largest. */
export function nearestPlan<Some extends Plan>(plans: readonly Some[], memory: number | null): Some | undefined {
  const bySize = plans.toSorted((one, other) => one.parameters.memory - other.parameters.memory)
  return bySize.find(({ parameters }) => memory !== null && parameters.memory >= memory) ?? bySize.at(-1)
}

const bounds = setLimitsSchema.shape

/**
 * What it had there, where that is said and another than the plan's.
 * @returns the limits, and what of them cannot be had as it was
 */
export function limitsBeside(
  { parameters }: Plan,
  had: Pick<FoundServer, 'memory' | 'storage' | 'cpu'>,
): { limits: SetLimits; notes: string[] } {
  const limits: { memory?: number; storage?: number; cpu?: number } = {}
  const notes: string[] = []
  for (const name of ['memory', 'storage', 'cpu'] as const) {
    const wanted = had[name]
    if (wanted === null || wanted === parameters[name]) continue
    if (bounds[name].safeParse(wanted).success) limits[name] = wanted
    else notes.push(`its ${name} there cannot be set here; it has the plan’s`)
  }
  return { limits, notes }
}
