import { z } from 'zod'
import { countryTaxRateSchema, currencySchema, idSchema, timeSchema } from '../primitives.ts'
import { paymentReturnKinds } from './payment-return.ts'
import { transactionActions, transactionStatuses } from '../states.ts'

export const providerIds = ['wallet', 'payu', 'paypal', 'paynow', 'blik', 'affiliate', 'pay-later'] as const
export const providerIdSchema = z.enum(providerIds)
export type ProviderId = z.infer<typeof providerIdSchema>

/** By what a purchase is paid: by the wallet, or by what first fills it with exactly the price. */
export const paymentMethods = ['wallet', 'affiliate', 'pay-later'] as const
export const paymentMethodSchema = z.enum(paymentMethods)
export type PaymentMethod = z.infer<typeof paymentMethodSchema>

/** A way to pay that is switched on for this visitor. Amounts in minor units. */
export const providerSchema = z.object({
  id: providerIdSchema,
  /** Added: the payer may type a code (BLIK) instead of going to the provider's page. */
  takes_code: z.boolean(),
  currencies: z.array(z.object({ currency: currencySchema, minimum: z.int(), maximum: z.int() })),
})

/** Least and most one transaction may move, in minor units; binding numbers of the specification. */
export function transactionLimits(provider: ProviderId, currency: string): { minimum: number; maximum: number } {
  const maximum = 1_000_000
  if (provider === 'wallet' || provider === 'affiliate' || provider === 'pay-later') return { minimum: 0, maximum }
  return { minimum: currency === 'PLN' ? 500 : 100, maximum }
}

export const transactionSchema = z.object({
  id: idSchema,
  status: z.enum(transactionStatuses),
  action: z.enum(transactionActions),
  positions: z.array(z.object({ name: z.string(), quantity: z.int(), tax: z.number(), total_price_gross: z.int() })),
  invoiceid: z.int().nullable(),
  ts: timeSchema,
  provider: providerIdSchema,
  /** Gross. Negative when it went the other way: a purchase given back to the wallet, a top-up given back to its payer. */
  amount: z.int(),
  currency: currencySchema,
  country_tax_rate: countryTaxRateSchema,
  wallet_id: idSchema,
  /** Where to send the payer while the transaction waits for them. */
  redirect_url: z.string().nullable(),
  /**
   * Added: of a top-up that went back to its payer (a negative amount), or came again after that: how it did so.
   */
  return_kind: z.enum(paymentReturnKinds).nullable(),
  /** Added: of the same, the payment that went back. `amount` in minor units. */
  return_of: z
    .object({
      id: idSchema,
      ts: timeSchema,
      action: z.enum(transactionActions),
      provider: providerIdSchema,
      amount: z.int(),
    })
    .nullable(),
  /** Added: of a change of the plan, what was paid or came back for it: from which plan to which. */
  plan_change: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** Added: a code was typed and is no good; the transaction waits for another one. */
  wants_code: z.boolean(),
  /** Added: until when the payer is asked by their bank's app, where they pay by a code. */
  confirm_until: timeSchema.nullable(),
})
export type Transaction = z.infer<typeof transactionSchema>

/** What became of a payment when its payer came back from PayPal. Beyond the specification, which shows no body. */
export const paypalReturnSchema = z.object({
  transaction: transactionSchema,
  /** What the payer has to do at PayPal first, where they have to: approve it, or choose another way to pay there. */
  payer_action: z
    .object({ reason: z.enum(['not_approved', 'declined']), redirect_url: z.string().nullable() })
    .nullable(),
})
export type PaypalReturn = z.infer<typeof paypalReturnSchema>

/** What a bank's app shows for BLIK. */
export const codeSchema = z.string().regex(/^\d{6}$/, 'blikCode')

export const createTransactionBody = z.object({
  action: z.literal('DEPOSIT'),
  provider: providerIdSchema,
  wallet_id: idSchema,
  /** Minor units, gross. */
  amount: z.int().positive().max(Number.MAX_SAFE_INTEGER),
  currency: z.string().length(3),
  /** Language of the provider's page and of the page the payer returns to. */
  language: z.enum(['en', 'pl', 'de']).default('en'),
  /** Added: of BLIK, where the provider takes codes; nobody is sent away then. */
  code: codeSchema.optional(),
})
