/** Codes by which users bring others. */
import { z } from 'zod'

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
