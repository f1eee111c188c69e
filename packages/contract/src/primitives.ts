/** Building blocks that several schemas share. */
import { z } from 'zod'

export const languages = ['en', 'pl', 'de'] as const
export const languageSchema = z.enum(languages)
export type Language = z.infer<typeof languageSchema>

/** Currencies wallets are offered in. */
export const walletCurrencies = ['PLN', 'EUR', 'USD'] as const
export const currencySchema = z.enum(walletCurrencies)
export type Currency = z.infer<typeof currencySchema>

/** An amount in minor units (grosz, cent) with its currency. */
export const moneySchema = z.object({ amount: z.int(), currency: z.string().length(3) })

export const billingPeriods = ['720h', '2160h', '8760h'] as const
export const billingPeriodSchema = z.enum(billingPeriods)
export type BillingPeriod = z.infer<typeof billingPeriodSchema>
export function hoursOfPeriod(period: BillingPeriod): number {
  return Number.parseInt(period, 10)
}

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
