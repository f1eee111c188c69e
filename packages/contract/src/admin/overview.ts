/** What an administrator wants to know first in the morning. */
import { z } from 'zod'
import { currencySchema, timeSchema } from '../primitives.ts'

const count = z.int().min(0)

export const overviewSchema = z.object({
  at: timeSchema,
  servers: z.object({
    all: count,
    /** Their games run now; frozen ones are asleep. */
    up: count,
    asleep: count,
    crashed: count,
    players: count,
  }),
  /** Places for free servers: how many are taken, and how many people wait for one. */
  free: z.object({ taken: count, waiting: count }),
  users: z.object({
    all: count,
    /** Who came in the last seven days. */
    new: count,
  }),
  /** Of the last 24 hours, at payment providers. */
  payments: z.object({
    completed: count,
    failed: count,
    /** Gross, in minor units. */
    taken: z.array(z.object({ currency: currencySchema, amount: z.int() })),
  }),
  tickets: z.object({
    /** Somebody of the team is to answer. */
    open: count,
    /** They have waited for longer than they should. */
    overdue: count,
  }),
})
export type Overview = z.infer<typeof overviewSchema>
