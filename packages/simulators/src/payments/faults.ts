/** What the simulator can be told to get wrong, per order or for a seeded share of all orders. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

export const faultsSchema = z
  .object({
    /** Copies of each notification beyond the first. */
    duplicate: z.int().min(0).max(20),
    /** Milliseconds before a notification is first sent. */
    delay: z.int().min(0),
    /** Notifications are sent newest first. */
    reorder: z.boolean(),
    /** Notifications are never sent. */
    lose: z.boolean(),
    /** Before the true ones comes a COMPLETED that is not signed by us, or signed but of another amount or currency. */
    forge: z.enum(['signature', 'amount', 'currency']),
    /** The order itself is of another amount, whoever asks. */
    mismatch: z.boolean(),
    /** The order is paid, and that is told, before the answer to its creation leaves. */
    notifyFirst: z.boolean(),
    /** The order is made, but the answer never comes: the connection is cut, or stays silent. */
    createTimeout: z.enum(['cut', 'silent']),
    /** The order is not made: 503. */
    createError: z.boolean(),
    /** Money is only reserved: the shop has to take it. Of PayU. */
    capture: z.boolean(),
    /** The payer begins so many times anew before they pay. Of PayNow. */
    abandon: z.int().min(0).max(5),
    /** The order cannot be retrieved: 503. */
    retrieveError: z.boolean(),
    /** A refund is made, but the answer never comes; is not made: 503; or is made and comes to nothing. */
    refund: z.enum(['cut', 'error', 'fail']),
  })
  .partial()
export type Faults = z.infer<typeof faultsSchema>

export const faultRuleSchema = z.object({
  faults: faultsSchema,
  /** Only the order of this name of the shop's, which may be still to come. */
  extOrderId: z.string().optional(),
  /** Each fault meets this share of orders, drawn from the seed and the order's name. */
  share: z.number().min(0).max(1).default(1),
  seed: z.int().default(1),
})
export type FaultRule = z.infer<typeof faultRuleSchema>

export type FaultBook = {
  set(rule: z.input<typeof faultRuleSchema>): void
  clear(): void
  of(extOrderId: string): Faults
}

export function createFaultBook(): FaultBook {
  const byOrder = new Map<string, Faults>()
  let everywhere: FaultRule | undefined
  return {
    set(given) {
      const rule = faultRuleSchema.parse(given)
      if (rule.extOrderId === undefined) everywhere = rule
      else byOrder.set(rule.extOrderId, rule.faults)
    },
    clear() {
      byOrder.clear()
      everywhere = undefined
    },
    of(extOrderId) {
      const own = byOrder.get(extOrderId)
      if (own !== undefined || everywhere === undefined) return own ?? {}
      const { faults, share, seed } = everywhere
      const entries = Object.entries(faults).filter(([name]) => draw(`${seed}:${extOrderId}:${name}`) < share)
      return Object.fromEntries(entries)
    },
  }
}

/** A number in [0, 1) that depends on the text alone. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
