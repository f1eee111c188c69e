import { z } from 'zod'
import { capabilityMapSchema, currencySchema, idSchema, languageSchema, timeSchema } from './primitives.ts'
import { emailSchema, passwordSchema, usernameSchema } from './validation.ts'
import { walletSchema } from './wallet.ts'

export const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  language: languageSchema,
  created_at: timeSchema,
  destroyed_at: timeSchema.nullable(),
  email_verified: timeSchema.nullable(),
  accepted_tos: timeSchema.nullable(),
  newsletter: timeSchema.nullable(),
  paying_user: z.boolean(),
  user_capabilities: capabilityMapSchema,
  wallets: z.array(walletSchema),
  services: z.array(z.object({ service_id: idSchema })),
  unread_notifications: z.int(),
})
export type User = z.infer<typeof userSchema>

export const registerBody = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
  language: languageSchema.default('en'),
  accepted_tos: z.boolean(),
  newsletter: z.boolean().default(false),
})
export const loginBody = z.object({
  /** User name or e-mail address. */
  login: z.string().min(1).max(254),
  password: z.string().min(1).max(128),
})
export const confirmEmailBody = z.object({ code: z.string().min(1).max(512) })

/** How the country is known: from the account (which decides what is charged), chosen, from the address, or assumed. */
const locationSourceSchema = z.enum(['account', 'choice', 'address', 'default'])
export type LocationSource = z.infer<typeof locationSourceSchema>

export const locationInfoSchema = z.object({
  country_code: z.string().length(2),
  vat_rate: z.number(),
  currency: currencySchema,
  source: locationSourceSchema,
})
