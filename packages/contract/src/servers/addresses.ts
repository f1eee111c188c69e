/** Names of a server: those of the operator's zones, and domains of its owner. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { domainSchema } from './server.ts'

/**
 *   unproven   a domain of its owner's, for which the TXT record was not found yet: nobody is led by it
 *   waiting    its records are not there yet, or not seen
 *   works      players are led by it
 */
export const addressStates = ['unproven', 'waiting', 'works'] as const
export type AddressState = (typeof addressStates)[number]

export const recordTypes = ['A', 'AAAA', 'CNAME', 'SRV', 'TXT'] as const

/** SRV records of the game, as the specification has them. */
export const srvRecord = { priority: 0, weight: 5, ttl: 300 } as const

/** A record that makes a name lead to the server. */
export const addressTargetSchema = z.object({
  /** What asks for it: `minecraft`, `website`, or `proof`. */
  app: z.enum(['minecraft', 'website', 'proof']),
  record_name: z.string(),
  record_type: z.enum(recordTypes),
  dns_content: z.string(),
  /** `managed`: set by us; `own`: the domain's owner sets it; `wildcard`: the zone's operator has set it for all names. */
  mode: z.enum(['managed', 'own', 'wildcard']),
})
export type AddressTarget = z.infer<typeof addressTargetSchema>

export const addressSchema = domainSchema.extend({
  /** What a player types. */
  join: z.string(),
  /** As people read it where that differs: `xn--…` in its own letters. */
  unicode: z.string().nullable(),
  state: z.enum(addressStates),
  /** A code of the catalogue that says what is in the way; null: nothing. */
  error: z.string().nullable(),
  checked_at: timeSchema.nullable(),
  /** The TXT record of a domain has been missing since; it is taken away `proofGraceHours` later. */
  proof_missing_since: timeSchema.nullable(),
  targets: z.array(addressTargetSchema),
})
export type Address = z.infer<typeof addressSchema>

/** How long a domain stays whose proof is gone. */
export const proofGraceHours = 72
/** A domain that nobody proves is forgotten after so many days. */
export const proofDays = 7
/** A released name of ours stays reserved for whoever had it. */
export const reservationDays = 30

export const addressesSchema = z.object({
  /** The zone that names are taken in. */
  zone_name: z.string(),
  /** Chosen names and domains; generated ones count for nothing. */
  quota: z.object({ limit: z.int(), available: z.int() }),
  domains: z.array(addressSchema),
  /** Names that this server's owner has given up, and may take again. */
  reserved: z.array(z.object({ fqdn: z.string(), sub_domain: z.string(), until: timeSchema })),
})
export type Addresses = z.infer<typeof addressesSchema>

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/**
 * A domain of somebody's own, in lower case: of other alphabets as it goes over the wire, `xn--…`. At least two labels,
 * the last one no number.
 */
export const ownDomainSchema = z
  .string()
  .trim()
  .min(1, 'domain')
  .max(253, 'domain')
  .transform((typed) => toAscii(typed))
  .refine((fqdn) => {
    const labels = fqdn.split('.')
    return labels.length >= 2 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1)!)
  }, 'domain')

/** As it goes over the wire; empty for what is no host name. Browsers and Node turn names of other alphabets alike. */
function toAscii(typed: string): string {
  const bare = typed.replace(/\.$/, '')
  if (/[\s/:@?#%\\[\]]/.test(bare)) return ''
  try {
    return new URL(`http://${bare}/`).hostname
  } catch {
    return ''
  }
}
