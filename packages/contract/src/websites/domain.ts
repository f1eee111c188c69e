/** A domain of its owner's under which a website is shown. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { addressStates, addressTargetSchema } from '../servers/addresses.ts'

export const websiteDomainSchema = z.object({
  fqdn: z.string(),
  /** As people read it where that differs: `xn--…` in its own letters. */
  unicode: z.string().nullable(),
  state: z.enum(addressStates),
  /** A code of the catalogue that says what is in the way; null: nothing. */
  error: z.string().nullable(),
  checked_at: timeSchema.nullable(),
  proof_missing_since: timeSchema.nullable(),
  /** Of its TLS certificate; null where certificates are not the product's own to get, or none is due yet. */
  certificate: z.enum(['active', 'waiting', 'failing']).nullable(),
  /** What its owner sets. */
  targets: z.array(addressTargetSchema),
})
export type WebsiteDomain = z.infer<typeof websiteDomainSchema>
