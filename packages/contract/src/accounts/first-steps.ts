/** What somebody who has just come does first. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'

export const firstSteps = ['confirm_email', 'top_up', 'rent', 'join', 'invite', 'backup'] as const
export type FirstStep = (typeof firstSteps)[number]

export const firstStepsSchema = z.object({
  done: z.array(z.enum(firstSteps)),
  /** Their newest server: where the steps that need one are taken. */
  server_id: idSchema.nullable(),
  /** Of each of their servers. */
  servers: z.array(
    z.object({
      id: idSchema,
      /** Whether anybody has played there. */
      joined: z.boolean(),
      /** Whether anybody was asked to help with it. */
      invited: z.boolean(),
      /** They do not want to see what is to be done with this one any more. */
      closed: z.boolean(),
    }),
  ),
  /** They do not want to see the list any more, of any server. */
  closed: z.boolean(),
})
export type FirstSteps = z.infer<typeof firstStepsSchema>
