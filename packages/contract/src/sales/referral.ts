/** Codes by which users bring others. */
import { z } from 'zod'
import { idSchema, pagingQuery, timeSchema } from '../primitives.ts'

/** 3–32 of letters, digits, `-` and `_`; told apart ignoring case. */
export const referralCodeSchema = z.string().regex(/^[\w-]{3,32}$/, 'referral_code')

export const referralCodeInfoSchema = z.object({
  referral_code: z.string(),
  /** Hours that both get once the invited account is verified and has played. */
  additional_time: z.int(),
})
export const referralTimeSchema = referralCodeInfoSchema.pick({ additional_time: true })
export const setReferrerBody = z.object({ code: referralCodeSchema })
export const changeReferralCodeBody = z.object({ code: referralCodeSchema })

/** How far somebody has come who was invited. `review`: two accounts that look like one person's; looked at by hand. */
export const friendStates = ['registered', 'verified', 'played', 'paid', 'review', 'refused'] as const

/** Hours that a user has for servers, and what became of those whom they have invited. */
export const referralOverviewSchema = z.object({
  referral_code: z.string(),
  /** Whether somebody's code led the user here. */
  is_invited: z.boolean(),
  /** Hours to put on a service. */
  hours: z.int(),
  /** Hours that were put on a service already when they were taken back: the next rewards make up for them. */
  hours_owed: z.int(),
  /** Within the last 30 days, and at most. */
  hours_this_month: z.int(),
  hours_per_month: z.int(),
  /** What there is to earn: for both when a friend has played, for the inviter on the first payment. */
  hours_played: z.int(),
  hours_paid: z.int(),
  /** How long a friend has to play. */
  play_minutes: z.int(),
  friends: z.array(
    z.object({
      /** The beginning of a name: whose it is in full is others' data. */
      name: z.string(),
      joined_at: timeSchema,
      state: z.enum(friendStates),
      /** That the friend has brought so far. */
      hours: z.int(),
    }),
  ),
  /** Of all friends; the latest hundred are listed. */
  friend_count: z.int(),
})
export type ReferralOverview = z.infer<typeof referralOverviewSchema>

/** Puts hours on a service. `referral_code` names one's own; somebody else's is first noted as the one that led here. */
export const useReferralHoursBody = z.object({
  referral_code: referralCodeSchema,
  /** Added; all there are where missing. */
  hours: z.int().min(1).max(10_000).optional(),
})

export const referralReviewStates = ['waiting', 'allowed', 'refused'] as const
/** Why two accounts look like one person's. */
export const referralSigns = ['device', 'address', 'payment'] as const

const person = z.object({ id: idSchema, username: z.string() })
/** A referral as administrators see it. */
export const adminReferralSchema = z.object({
  invited: person,
  inviter: person,
  code: z.string(),
  created_at: timeSchema,
  signs: z.array(z.enum(referralSigns)),
  /** Null where nothing was found. */
  review: z.enum(referralReviewStates).nullable(),
  /** Given and not taken back, to both. */
  hours: z.int(),
})
export type AdminReferral = z.infer<typeof adminReferralSchema>
/** `after` is the id of the invited user of the last one seen. */
export const adminReferralQuery = z.object({ ...pagingQuery, review: z.enum(referralReviewStates).optional() })
export const reviewReferralBody = z.object({ review: z.enum(['allowed', 'refused']) })
