/** Accounts elsewhere by which somebody signs in. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const socialSchema = z.object({
  id: idSchema,
  source: z.enum(['discord']),
  /** The account's id there. */
  external_id: z.string(),
  user_id: idSchema,
  /** The profile there, as it was at the last login. */
  details: z.object({
    username: z.string(),
    global_name: z.string().nullable(),
    avatar: z.string().nullable(),
  }),
  created_at: timeSchema,
  updated_at: timeSchema,
  destroyed_at: timeSchema.nullable(),
})
export type Social = z.infer<typeof socialSchema>
export type SocialDetails = Social['details']
