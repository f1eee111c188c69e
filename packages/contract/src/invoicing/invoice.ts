/** Documents of sale: invoices, receipts, credit notes. */
import { z } from 'zod'
import { currencySchema, idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { taxTreatments } from '../money/tax-treatment.ts'

/** `receipt`: of customers who gave no invoice data. */
export const documentKinds = ['invoice', 'receipt', 'credit_note'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** `kept`: not meant for the register · `waiting`: not sent yet · `sent`: the register has it and has not answered · `failed`: given up until somebody retries. */
export const eInvoiceStates = ['kept', 'waiting', 'sent', 'accepted', 'failed'] as const

export const saleDocumentSchema = z.object({
  id: idSchema,
  /** As `invoiceid` of the transaction. */
  invoice_id: z.int(),
  kind: z.enum(documentKinds),
  number: z.string(),
  /** What it is for: its positions as they are printed in each language. */
  positions: z.array(z.object({ en: z.string(), pl: z.string(), de: z.string() })),
  issued_at: timeSchema,
  /** Days, in the seller's time zone. */
  issued_on: z.string(),
  sold_on: z.string(),
  currency: currencySchema,
  /** Minor units; below zero on credit notes. */
  net: z.int(),
  vat: z.int(),
  gross: z.int(),
  /** VAT in the currency of the seller's tax office, where the sale was in another. */
  home_currency: z.string(),
  vat_home: z.int().nullable(),
  country_code: z.string(),
  treatment: z.enum(taxTreatments),
  buyer_name: z.string(),
  language: languageSchema,
  transaction_id: idSchema,
  corrects: z.object({ id: idSchema, number: z.string() }).nullable(),
})
export type SaleDocument = z.infer<typeof saleDocumentSchema>

export const adminSaleDocumentSchema = saleDocumentSchema.extend({
  user_id: idSchema,
  /** The evidence of where the buyer is contradicts itself. */
  place_contradicts: z.boolean(),
  e_invoice: z
    .object({
      state: z.enum(eInvoiceStates),
      ksef_number: z.string().nullable(),
      last_error: z.string().nullable(),
      tries: z.int(),
    })
    .nullable(),
})
export type AdminSaleDocument = z.infer<typeof adminSaleDocumentSchema>

/** A completed sale whose document could not be made yet, and why. */
export const dueDocumentSchema = z.object({
  transaction_id: idSchema,
  since: timeSchema,
  tries: z.int(),
  last_error: z.string().nullable(),
})
export type DueDocument = z.infer<typeof dueDocumentSchema>

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** Days of sale, both included: they decide on the period of tax, whenever the document was issued. */
export const saleDocumentFilter = {
  from: day.optional(),
  to: day.optional(),
  kind: z.enum(documentKinds).optional(),
  /** Only those that somebody should look at. */
  attention: z.literal('1').optional(),
}
