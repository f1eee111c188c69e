/** What a new installation still lacks before strangers can be let in. */
import { z } from 'zod'

export const setupSteps = [
  'operator',
  'documents',
  'site',
  'names',
  'mail',
  'payments',
  'backups',
  'second_factor',
  'server',
] as const
export type SetupStep = (typeof setupSteps)[number]

export const setupSchema = z.object({
  steps: z.array(
    z.object({
      step: z.enum(setupSteps),
      done: z.boolean(),
      /** What the doctor found, in English: the words of a mail server, say. */
      found: z.string().nullable(),
    }),
  ),
})
export type Setup = z.infer<typeof setupSchema>
