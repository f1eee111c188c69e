/** Billing services: what a customer rents, until when, and for how much. */
import { z } from 'zod'
import {
  billingPeriodSchema,
  capabilityMapSchema,
  countryTaxRateSchema,
  currencySchema,
  idSchema,
  moneySchema,
  timeSchema,
} from '../primitives.ts'
import { costSchema, productSchema, serviceTypes } from './product.ts'
import { domainSchema } from '../servers/server.ts'
import { paymentMethodSchema } from '../money/transaction.ts'
import { serviceCouponSchema } from './voucher.ts'
import { voucherCodesSchema } from './voucher-code.ts'
import { addOnSchema, scheduledActionSchema } from './service-change.ts'

export const serviceSchema = z.object({
  service_id: idSchema,
  product: productSchema,
  domains: z.array(domainSchema),
  type: z.enum(serviceTypes),
  wallet_id: idSchema,
  parameters: z.record(z.string(), z.unknown()),
  /** When the paid time ends; null = never. */
  expires: timeSchema.nullable(),
  never_expiring: z.boolean(),
  created_at: timeSchema,
  /** Of one period, as it was last paid: net and gross. */
  cost: moneySchema,
  gross_cost: moneySchema,
  country_tax_rate: countryTaxRateSchema,
  auto_renew: z.boolean(),
  parent_id: idSchema.nullable(),
  billing_period: billingPeriodSchema,
  owner: idSchema,
  user_capabilities: capabilityMapSchema,
  /** That the next renewal uses: one at most. */
  coupons: z.array(serviceCouponSchema),
  /** What will be done by itself; not what is done or taken back. */
  scheduled_actions: z.array(scheduledActionSchema),
  add_ons: z.array(addOnSchema),
  /**
   * Added. Another period like the last, with all that is renewed with it, as it costs now; null: it is not renewed, or
   * has no price. `automatic_at`: when that is done by itself, null: never; once it has passed, every hour.
   */
  renewal: z.object({ cost: costSchema, automatic_at: timeSchema.nullable() }).nullable(),
  /** Added. The only currency it can be renewed in, as long as what was paid in it may come back; null: any. */
  renewal_currency: currencySchema.nullable(),
})
export type Service = z.infer<typeof serviceSchema>

export const renewServiceBody = z.object({
  billing_period: billingPeriodSchema,
  wallet_id: idSchema,
  /** Added. The wallet where missing. */
  payment_method: paymentMethodSchema.optional(),
  vouchers: voucherCodesSchema.optional(),
  /**
   * Added. The buyer asks for the period to begin before the 14 days for a withdrawal are over, if it comes to that. Whoever
   * was given all back of something that had begun has to, for a year: without it, `invalid_request` with this field.
   */
  immediate: z.boolean().optional(),
})
export type RenewServiceBody = z.output<typeof renewServiceBody>

/**
 * `cancel_at_end`: it is not renewed any more, and ends when its paid time does; false takes that back, and automatic
 * renewal is again what it was.
 */
export const changeServiceBody = z
  .object({ auto_renew: z.boolean().optional(), cancel_at_end: z.boolean().optional() })
  .refine(({ auto_renew, cancel_at_end }) => !(auto_renew === true && cancel_at_end === true), {
    path: ['cancel_at_end'],
    error: 'what ends is not renewed',
  })

export type ChangeServiceBody = z.output<typeof changeServiceBody>

/** So long after its end a server's files are kept, and it can be renewed. */
export const filesKeptDays = 14

/** How long before its end a free server may be kept on. */
export const freeRenewalDays = 7
