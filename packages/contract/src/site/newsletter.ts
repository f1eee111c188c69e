/** The newsletter: nobody gets it who did not confirm. */
import { z } from 'zod'
import { languageSchema } from '../primitives.ts'
import { emailSchema } from '../validation.ts'

export const subscribeBody = z.object({
  email: emailSchema,
  language: languageSchema.default('en'),
  /** People do not see this field. A sign-up that fills it is thrown away. */
  website: z.string().max(500).default(''),
})
export const newsletterCodeBody = z.object({ code: z.string().min(1).max(512) })
export const setNewsletterBody = z.object({ newsletter: z.boolean() })
