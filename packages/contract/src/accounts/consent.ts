/** What a user agreed to: which words, in which version, when and how. */
import { z } from 'zod'
import { documentVersionSchema, legalSlugSchema } from '../site/document.ts'
import { idSchema, timeSchema } from '../primitives.ts'

/** What can be agreed to; `cookies` is a choice of its own, the newsletter has its own steps. */
export const agreementSubjects = ['terms', 'payments', 'gdpr'] as const
export type AgreementSubject = (typeof agreementSubjects)[number]

export const consentSchema = z.object({
  id: idSchema,
  subject: z.enum([...agreementSubjects, 'cookies', 'newsletter']),
  /** `requested`: the newsletter was asked for and waits for its link to be followed. */
  action: z.enum(['requested', 'given', 'withdrawn']),
  /** Of the document that was shown. */
  version: z.string(),
  source: z.enum(['registration', 'account', 'cookie_choice', 'operator', 'form', 'mail']),
  details: z.record(z.string(), z.boolean()).nullable(),
  at: timeSchema,
})
export type Consent = z.infer<typeof consentSchema>

/** Words that have changed since they were agreed to. */
export const consentDueSchema = z.object({
  subject: z.enum(agreementSubjects),
  slug: legalSlugSchema,
  version: documentVersionSchema,
  /** Until it is agreed to, what changes something answers `user_has_to_accept_terms`. */
  required: z.boolean(),
})

export const giveConsentBody = z.discriminatedUnion('subject', [
  z.object({ subject: z.enum(agreementSubjects), version: documentVersionSchema }),
  z.object({ subject: z.literal('cookies'), analytics: z.boolean(), advertising: z.boolean() }),
])
