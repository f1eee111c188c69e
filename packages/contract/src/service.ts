/** Billing services: what a customer rents, until when, and for how much. */
import { z } from 'zod'
import {
  billingPeriodSchema,
  capabilityMapSchema,
  countryTaxRateSchema,
  idSchema,
  moneySchema,
  timeSchema,
} from './primitives.ts'
import { productSchema, serviceTypes } from './product.ts'
import { domainSchema } from './server.ts'
import { serviceCouponSchema } from './voucher.ts'
import { voucherCodesSchema } from './voucher-code.ts'

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
})
export type Service = z.infer<typeof serviceSchema>

export const renewServiceBody = z.object({
  billing_period: billingPeriodSchema,
  wallet_id: idSchema,
  vouchers: voucherCodesSchema.optional(),
})
export type RenewServiceBody = z.output<typeof renewServiceBody>

export const changeServiceBody = z.object({ auto_renew: z.boolean() })

/** How long before its end a free server may be kept on. */
export const freeRenewalDays = 7
