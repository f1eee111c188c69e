/** How an account is guarded: codes of an app, recovery codes, passkeys, and proofs before dangerous actions. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { digitsSchema } from './user.ts'
import { passkeyNameSchema } from '../validation.ts'

/** How long a proof to be the owner is good for. */
export const stepUpMinutes = 15

/** Second factors that an account has. */
export const factorKindsSchema = z.object({ totp: z.boolean(), passkey: z.boolean() })
export type FactorKinds = z.infer<typeof factorKindsSchema>

export const passkeySchema = z.object({
  id: idSchema,
  name: z.string(),
  created_at: timeSchema,
  last_used_at: timeSchema.nullable(),
  /** Its provider keeps it on several devices. */
  backed_up: z.boolean(),
})
export type Passkey = z.infer<typeof passkeySchema>

export const securitySchema = z.object({
  /** Codes of an app; null when they are off. */
  totp: z.object({ since: timeSchema, last_used_at: timeSchema.nullable() }).nullable(),
  passkeys: z.array(passkeySchema),
  recovery_codes_left: z.int(),
})
export type Security = z.infer<typeof securitySchema>

/** `secret` is base32, `address` what a QR code says. */
export const totpSetupSchema = z.object({ secret: z.string(), address: z.string() })
/** Shown once. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })

/** Six digits of an app; spaces that people type between them are dropped. */
const totpCodeSchema = z
  .string()
  .max(32)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^[0-9]{6}$/, 'digits_six'))
/** Six digits of an app, or a recovery code. */
const factorCodeSchema = z
  .string()
  .trim()
  .min(1, 'required')
  .max(32)
  .regex(/^(?:\d{3} ?\d{3}|[a-z0-9]{5}[ -]?[a-z0-9]{5})$/i, 'factor_code')
export const totpCodeBody = z.object({ code: totpCodeSchema })
export const factorCodeBody = z.object({ code: factorCodeSchema })

/** What a browser's `navigator.credentials` takes, as JSON (WebAuthn, level 3, section 5.1). */
export const passkeyOptionsSchema = z.object({ options: z.record(z.string(), z.unknown()) })

const encoded = z
  .string()
  .max(8192)
  .regex(/^[\w-]*$/)
const credential = {
  id: encoded.max(1400),
  rawId: encoded.max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}
/** What it gives back, as JSON. */
export const registrationResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})
export const authenticationResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
})
export type AuthenticationResponse = z.infer<typeof authenticationResponseSchema>

export const addPasskeyBody = z.object({ name: passkeyNameSchema, response: registrationResponseSchema })
export const renamePasskeyBody = z.object({ name: passkeyNameSchema })
/** `recovery_codes` come with the first factor of an account only. */
export const addedPasskeySchema = z.object({ passkey: passkeySchema, recovery_codes: z.array(z.string()).nullable() })
export const passkeyAnswerBody = z.object({ response: authenticationResponseSchema })

/** `code` is for accounts that have no password, `mail` for those that have nothing else to prove with. */
export const stepUpSchema = z.object({
  methods: z.array(z.enum(['password', 'code', 'passkey', 'mail'])),
  /** What has to come with the password as `code`, where a second factor guards the account. */
  password_needs: z.enum(['code', 'recovery_code']).nullable(),
  /** Until when nothing is asked. */
  proven_until: timeSchema,
})
export type StepUp = z.infer<typeof stepUpSchema>
export type StepUpMethod = StepUp['methods'][number]
export const stepUpBody = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('password'),
    password: z.string().min(1, 'required').max(128),
    code: factorCodeSchema.optional(),
  }),
  z.object({ method: z.literal('code'), code: factorCodeSchema }),
  z.object({ method: z.literal('passkey'), response: authenticationResponseSchema }),
  z.object({ method: z.literal('mail'), code: digitsSchema }),
])
