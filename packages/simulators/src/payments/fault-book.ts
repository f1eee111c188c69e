/** Faults of a simulator: for one order by its name, or for a seeded share of all. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

export type FaultRule<Faults> = {
  faults: Faults
  /** Only the order of this name, which may be still to come. */
  order?: string | undefined
  /** Each fault meets this share of orders, drawn from the seed and the order's name. */
  share?: number | undefined
  seed?: number | undefined
}

export type FaultBook<Faults> = {
  /** @throws ZodError for a rule that means nothing. */
  set(rule: unknown): void
  clear(): void
  of(order: string): Faults
}

export function createFaultBook<Faults extends object>(faultsSchema: z.ZodType<Faults>): FaultBook<Faults> {
  const ruleSchema = z.object({
    faults: z.unknown(),
    order: z.string().optional(),
    share: z.number().min(0).max(1).default(1),
    seed: z.int().default(1),
  })
  const byOrder = new Map<string, Faults>()
  let everywhere: { faults: Faults; share: number; seed: number } | undefined
  return {
    set(given) {
      const rule = ruleSchema.parse(given)
      const faults = faultsSchema.parse(rule.faults)
      if (rule.order === undefined) everywhere = { faults, share: rule.share, seed: rule.seed }
      else byOrder.set(rule.order, faults)
    },
    clear() {
      byOrder.clear()
      everywhere = undefined
    },
    of(order) {
      const own = byOrder.get(order)
      if (own !== undefined || everywhere === undefined) return own ?? ({} as Faults)
      const { faults, share, seed } = everywhere
      const entries = Object.entries(faults).filter(([name]) => draw(`${seed}:${order}:${name}`) < share)
      return Object.fromEntries(entries) as Faults
    },
  }
}

/** A number in [0, 1) that depends on the text alone. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
