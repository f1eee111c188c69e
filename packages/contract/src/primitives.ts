/** Building blocks that several schemas share. */
import { z } from 'zod'
import { billingPeriods, languages, walletCurrencies } from './values.ts'

export * from './values.ts'

export const languageSchema = z.enum(languages)
export const currencySchema = z.enum(walletCurrencies)

/** An amount in minor units (grosz, cent) with its currency. */
export const moneySchema = z.object({ amount: z.int(), currency: z.string().length(3) })

export const billingPeriodSchema = z.enum(billingPeriods)

export const idSchema = z.uuid()
export const timeSchema = z.iso.datetime()

/** Values of a capability; see `capabilities.ts`. */
export const capabilityMapSchema = z.record(z.string(), z.union([z.number(), z.boolean(), z.string()]))

/** VAT of a buyer: a fraction, 0.23 for 23 %. */
export const countryTaxRateSchema = z.object({ country_code: z.string().length(2), vat_rate: z.number().min(0).max(1) })

/** Keyset paging: `after` is the id of the last entry seen. */
export const pagingQuery = { after: idSchema.optional(), limit: z.coerce.number().int().min(1).max(100).default(50) }

export const idempotencyKeySchema = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[\w-]+$/)
