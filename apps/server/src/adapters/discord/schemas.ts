/** What Discord sends, as far as we read it. */
import { z } from 'zod'

export const tokenSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.literal('Bearer'),
  scope: z.string(),
})
export const refusalSchema = z.object({ error: z.string() })

export const profileSchema = z.object({
  /** A snowflake: 64 bits in decimal. */
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string().min(1).max(64),
  global_name: z.string().max(64).nullish(),
  avatar: z.string().max(64).nullish(),
  /** Missing where the account has none. */
  email: z.string().max(254).nullish(),
  verified: z.boolean().optional(),
})
export type DiscordProfile = z.infer<typeof profileSchema>
