import { z } from 'zod'
import {
  billingPeriodSchema,
  capabilityMapSchema,
  currencySchema,
  idSchema,
  languageSchema,
  timeSchema,
} from '../primitives.ts'
import { consentDueSchema } from './consent.ts'
import { games } from '../servers/server.ts'
import { taxDataSchema } from '../money/tax-data.ts'
import { socialSchema } from './social.ts'
import { isTimeZone } from '../time-zone.ts'
import { emailSchema, passwordSchema, usernameSchema } from '../validation.ts'
import { voucherUseSchema } from '../sales/voucher.ts'
import { walletSchema } from '../money/wallet.ts'

export const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  /** Of mails and messages too. */
  language: languageSchema,
  /** Added: by which times in them are told, as the user's browser last said; null before it has. */
  time_zone: z.string().nullable(),
  created_at: timeSchema,
  destroyed_at: timeSchema.nullable(),
  /** When the account will be deleted, once its owner has asked for that. */
  destroy_at: timeSchema.nullable(),
  has_password: z.boolean(),
  email_verified: timeSchema.nullable(),
  accepted_tos: timeSchema.nullable(),
  newsletter: timeSchema.nullable(),
  paying_user: z.boolean(),
  user_capabilities: capabilityMapSchema,
  wallets: z.array(walletSchema),
  services: z.array(z.object({ service_id: idSchema })),
  unread_notifications: z.int(),
  /** Null before it is given, and where only the simple user was asked for. */
  tax_data: taxDataSchema.nullable(),
  /** When cookies beyond the essential were last allowed. */
  accepted_cookie_policy: timeSchema.nullable(),
  gdpr_consent: timeSchema.nullable(),
  /** Documents that have changed since they were agreed to. */
  consents_due: z.array(consentDueSchema),
  /** The administrator who sees the panel as this user, and until when. Only while one does, to that one. */
  actor: z.object({ user_id: idSchema, username: z.string(), until: timeSchema }).optional(),
  /** Accounts elsewhere that sign in to this one. */
  socials: z.array(socialSchema),
  /** The referral code by which somebody else has brought this user. */
  referrer_code_id: idSchema.nullable(),
  is_in_free_queue: z.boolean(),
  /** The last hundred vouchers redeemed, newest first; none where only the simple user was asked for. */
  voucher_uses: z.array(voucherUseSchema),
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
const linkCode = z.string().min(1).max(512)
/** Eight digits from a mail; spaces that people type between them are dropped. */
export const digitsSchema = z
  .string()
  .max(32)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^[0-9]{8}$/, 'digits'))

export const confirmEmailBody = z.object({ code: linkCode })
export const beginPasswordResetBody = z.object({ email: emailSchema })
export const finishPasswordResetBody = z.object({ code: linkCode, password: passwordSchema })
export const changePasswordBody = z.object({
  /** Missing for an account that has no password yet. */
  old_password: z.string().max(128).optional(),
  password: passwordSchema,
})
export const changeEmailBody = z.object({ email: emailSchema, password: z.string().max(128).optional() })
export const changeUsernameBody = z.object({ username: usernameSchema })
export const setLocaleBody = z.object({
  language: languageSchema.optional(),
  time_zone: z.string().min(1).max(64).refine(isTimeZone, 'time_zone').optional(),
})
export const beginEmailLoginBody = z.object({ email: emailSchema, language: languageSchema.default('en') })
export const finishEmailLoginBody = z.object({
  code: digitsSchema,
  /** Id of a product to try for nothing. */
  trial: z.string().max(64).optional(),
  /** Needed when the address has no account yet. */
  accepted_tos: z.boolean().default(false),
  newsletter: z.boolean().default(false),
})
/** What a code by mail led to; it logs in or registers. */
export const emailLoginResultSchema = z.object({
  user: userSchema,
  already_exists: z.boolean(),
  added_to_queue: z.boolean(),
  /** What is ready to be made with the voucher, where a trial was asked for. */
  server: z
    .object({
      cluster_id: z.string(),
      game: z.enum(games),
      requested_billing_services: z.array(z.string()),
      billing_period: billingPeriodSchema,
      currency: currencySchema,
    })
    .nullable(),
  voucher: z.string().nullable(),
})
export const beginDiscordQuery = z.object({
  /** Path on this site to come back to. */
  from: z.string().max(500).optional(),
  language: languageSchema.default('en'),
})
export const finishDiscordBody = z.object({
  /** What Discord has sent the browser back with. */
  code: z.string().max(512).optional(),
  state: z.string().max(512).optional(),
  /** Needed when nobody has an account with the address yet. */
  accepted_tos: z.boolean().default(false),
  newsletter: z.boolean().default(false),
})
/** What Discord led to: a login, a new account, or a link to the account that is signed in. */
export const discordResultSchema = emailLoginResultSchema.extend({
  outcome: z.enum(['login', 'register', 'link']),
  /** Where the visitor came from, as it was given at the beginning. */
  from: z.string().nullable(),
})
export const sessionSchema = z.object({
  id: idSchema,
  created_at: timeSchema,
  last_used_at: timeSchema,
  ip: z.string().nullable(),
  country_code: z.string().length(2).nullable(),
  user_agent: z.string().nullable(),
  /** The session that asks. */
  current: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>

/** How the country is known: from the account (which decides what is charged), chosen, from the address, or assumed. */
const locationSourceSchema = z.enum(['account', 'choice', 'address', 'default'])
export type LocationSource = z.infer<typeof locationSourceSchema>

export const locationInfoSchema = z.object({
  country_code: z.string().length(2),
  vat_rate: z.number(),
  currency: currencySchema,
  source: locationSourceSchema,
})
