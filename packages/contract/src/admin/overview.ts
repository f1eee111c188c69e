/** Key figures for administrators. */
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
    /** Registered in the last seven days. */
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
    /** Waiting for an answer from the team. */
    open: count,
    /** Past the time for an answer. */
    overdue: count,
  }),
})
export type Overview = z.infer<typeof overviewSchema>
