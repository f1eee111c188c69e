/** The affiliate programme: a share of what those top up whom one has brought. */
import { z } from 'zod'
import { idSchema, moneySchema, pagingQuery, timeSchema } from '../primitives.ts'

/** `none`: not asked for yet. */
export const affiliateStates = ['none', 'waiting', 'approved', 'suspended'] as const

const earningsSchema = z.object({
  currency: z.string().length(3),
  /** Minor units. Held for some days, in case the payment goes back. */
  pending: z.int(),
  /** To be spent, or moved to the wallet. */
  available: z.int(),
  /** Moved to the wallet, purchases paid with it included. */
  paid: z.int(),
  /** Was used before its payment went back: the next shares make up for it. */
  owed: z.int(),
})

export const affiliateSchema = z.object({
  state: z.enum(affiliateStates),
  referral_code: z.string(),
  /** The rules: the share in per cent, for how many months, and for how many days it is held. */
  percent: z.int(),
  months: z.int(),
  hold_days: z.int(),
  /** Of all time; what each day adds is in `days`. */
  clicks: z.int(),
  sign_ups: z.int(),
  earnings: z.array(earningsSchema),
  /** Every day of the time that was asked for, the earliest first; days are UTC's. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      clicks: z.int(),
      sign_ups: z.int(),
      /** By currency, as it stands now. */
      earned: z.record(z.string(), z.int()),
    }),
  ),
})
export type Affiliate = z.infer<typeof affiliateSchema>

export const affiliateQuery = z.object({ days: z.coerce.number().int().min(7).max(365).default(30) })
export const applyAffiliateBody = z.object({
  /** Where one tells of us. */
  website: z.url({ protocol: /^https?$/ }).max(200),
  about: z.string().trim().min(10).max(500),
})
export const payOutBody = z.object({ wallet_id: idSchema, amount: z.int().positive().max(1_000_000_000) })

/** An affiliate as administrators see it. */
export const adminAffiliateSchema = z.object({
  user: z.object({ id: idSchema, username: z.string() }),
  state: z.enum(['waiting', 'approved', 'suspended']),
  website: z.string(),
  about: z.string(),
  applied_at: timeSchema,
  decided_at: timeSchema.nullable(),
  clicks: z.int(),
  sign_ups: z.int(),
  /** Of those, held back because the two accounts look like one person's. */
  flagged: z.int(),
  /** What stands of all shares, by currency. */
  earned: z.array(moneySchema),
})
export type AdminAffiliate = z.infer<typeof adminAffiliateSchema>
/** `after` is the user's id of the last one seen. */
export const adminAffiliateQuery = z.object({
  ...pagingQuery,
  state: z.enum(['waiting', 'approved', 'suspended']).optional(),
})
export const changeAffiliateBody = z.object({ state: z.enum(['approved', 'suspended']) })
