/** What an invoice says of its buyer, as it is shown. What may be typed is in `tax-data-form.ts`. */
import { z } from 'zod'
import { languageSchema, timeSchema } from '../primitives.ts'

export const buyerKinds = ['person', 'company'] as const
export type BuyerKind = (typeof buyerKinds)[number]

/**
 * What the EU's register says of a VAT id. `pending`: not asked yet; `unavailable`: it gave no answer and is asked
 * again by itself.
 */
export const taxIdStates = ['pending', 'valid', 'invalid', 'unavailable'] as const
export type TaxIdState = (typeof taxIdStates)[number]

export const taxDataSchema = z.object({
  kind: z.enum(buyerKinds),
  name: z.string(),
  short_name: z.string(),
  /** Of companies in Poland: ten digits. */
  nip: z.string().nullable(),
  /** VAT id with its prefix, such as `DE136695976`; elsewhere whatever number the country has. */
  tax_id: z.string().nullable(),
  address: z.string(),
  postal_code: z.string(),
  city: z.string(),
  country: z.string().length(2),
  language: languageSchema,
  updated_at: timeSchema,
  /** Null where there is no VAT id that the EU's register could know. */
  tax_id_check: z
    .object({
      state: z.enum(taxIdStates),
      /** When the register was last asked. */
      checked_at: timeSchema.nullable(),
      /** The register's own reference: evidence that it was asked. */
      consultation_number: z.string().nullable(),
    })
    .nullable(),
})
export type TaxData = z.infer<typeof taxDataSchema>
