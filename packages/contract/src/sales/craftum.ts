/** Websites from the builder, as what is rented: their content is in `websites/`. */
import { z } from 'zod'
import { paymentMethodSchema } from '../money/transaction.ts'
import { billingPeriodSchema, currencySchema, idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { subdomainSchema } from '../validation.ts'
import { voucherCodesSchema } from './voucher-code.ts'

export const craftumSchema = z.object({
  id: idSchema,
  service_id: idSchema,
  product_id: z.string(),
  created_at: timeSchema,
  expires: timeSchema.nullable(),
  // added
  name: z.string(),
  /** What its address begins with, below the domain of all websites. */
  subdomain: z.string(),
  /** Where it is published: the whole address. */
  address: z.url(),
  /** Shown to everybody at this moment: published, and paid for. */
  online: z.boolean(),
  /** Of the version that is published; null: none is. */
  published_at: timeSchema.nullable(),
  /** When what is in it will be deleted; null: nothing is planned. */
  cleanup_date: timeSchema.nullable(),
  /** When its contract was withdrawn from; null: it goes on, or has just run out. */
  withdrawn_at: timeSchema.nullable(),
  auto_renew: z.boolean(),
})
export type Craftum = z.infer<typeof craftumSchema>

export const websiteProduct = 'BASIC_CRAFTUM'

export const websiteNameSchema = z
  .string()
  .trim()
  .min(3, 'website_name')
  .max(60, 'website_name')
  .regex(/^[^\p{C}]*$/u, 'website_name')

export const createCraftumBody = z.object({
  name: websiteNameSchema,
  subdomain: subdomainSchema,
  /** Of its first page. */
  language: languageSchema.default('en'),
  billing_period: billingPeriodSchema,
  currency: currencySchema,
  wallet_id: idSchema,
  payment_method: paymentMethodSchema.optional(),
  vouchers: voucherCodesSchema.optional(),
  /** The buyer asks for it to begin at once, knowing that a withdrawal then costs the time used. */
  immediate: z.boolean().optional(),
})
export type CreateCraftumBody = z.output<typeof createCraftumBody>
