/** Changing the plan of a service, what is added to it, and what is planned for it. */
import { z } from 'zod'
import { billingPeriodSchema, currencySchema, idSchema, moneySchema, timeSchema } from '../primitives.ts'
import { productSchema, serviceTypes } from './product.ts'

/** Why a plan cannot be had, or not now. */
export const changeObstacles = [
  'expired',
  'same_product',
  'not_offered',
  'not_on_sale',
  'no_price',
  'other_currency',
  'storage_in_use',
  'downgraded_lately',
  'change_is_paid',
  'add_ons_do_not_fit',
  'more_is_paid_than_it_costs',
  'already_has_it',
] as const
export type ChangeObstacle = (typeof changeObstacles)[number]
const obstacleSchema = z.enum(changeObstacles).nullable()

export const scheduledActionKinds = ['CHANGE_PRODUCT', 'CANCEL_SERVICE'] as const
/** Something that will be done to a service by itself. */
export const scheduledActionSchema = z.object({
  id: idSchema,
  service_id: idSchema,
  action: z.enum(scheduledActionKinds),
  /** When it was last tried. */
  last_run: timeSchema.nullable(),
  done: z.boolean(),
  /** When it is due. */
  date: timeSchema,
  /**
   * Of CHANGE_PRODUCT: `product_id`; `renewed`: time after it is paid for at that plan's price; `failed`: it could not be.
   * Of CANCEL_SERVICE, `auto_renew`: automatic renewal was on, and is again once this is taken back.
   */
  details: z.object({
    product_id: z.string().optional(),
    renewed: z.boolean().optional(),
    failed: z.boolean().optional(),
    auto_renew: z.boolean().optional(),
  }),
  /** When it was taken back. */
  deleted_at: timeSchema.nullable(),
})
export type ScheduledAction = z.infer<typeof scheduledActionSchema>

export const addOnSchema = z.object({
  service_id: idSchema,
  product: z.string(),
  type: z.enum(serviceTypes),
  /** That of its server. */
  expires: timeSchema.nullable(),
  created_at: timeSchema,
  /** Of one period. */
  gross_cost: moneySchema,
  /** What is given back to the wallet when it is removed now. */
  remaining_price: moneySchema,
})
export type AddOn = z.infer<typeof addOnSchema>

/** A plan that a service could have. Amounts are gross. */
export const upgradeTargetSchema = z.object({
  product: productSchema,
  direction: z.enum(['up', 'down']),
  /** Why it cannot be had now; null: it can. */
  obstacle: obstacleSchema,
  /** Why it cannot be planned for the end of the time that is paid for. */
  planned_obstacle: obstacleSchema,
  /** For the hours left, with the end as it is: what is paid, and what comes back to the wallet; one of them is zero. */
  upgrade_price: moneySchema.nullable(),
  credit: moneySchema.nullable(),
  /** Whether money moves. */
  create_transaction: z.boolean(),
  /** With a new period that begins now; `upgrade_price` null: more is paid for already than it costs. Upgrades only. */
  billing_periods: z.array(
    z.object({
      cluster_id: z.string(),
      period: billingPeriodSchema,
      price: moneySchema,
      upgrade_price: moneySchema.nullable(),
    }),
  ),
})
export type UpgradeTarget = z.infer<typeof upgradeTargetSchema>

export const upgradeQuoteSchema = z.object({
  service_id: idSchema,
  product: productSchema,
  billing_period: billingPeriodSchema,
  currency: currencySchema,
  expires: timeSchema.nullable(),
  /** Gross, of the present plan for one period of its own. */
  product_price: moneySchema.nullable(),
  /** What was paid and is not used up; time from vouchers was not paid. */
  remaining_price: moneySchema,
  /**
   * What add-ons give beside the plan, and what they cost, gross, in one period of it; null: they have no price for
   * such a period. They stay with any plan that they fit.
   */
  added: z.object({
    products: z.array(z.string()),
    memory: z.int(),
    cpu: z.number(),
    storage: z.int(),
    price: moneySchema.nullable(),
  }),
  /** Bytes its files take; null: not known at this moment. */
  used_storage: z.int().nullable(),
  /** When it may be downgraded again; null: at once. */
  downgrade_from: timeSchema.nullable(),
  planned: scheduledActionSchema.nullable(),
  upgrade_targets: z.array(upgradeTargetSchema),
})
export type UpgradeQuote = z.infer<typeof upgradeQuoteSchema>

export const upgradeBody = z
  .object({
    product_id: z.string().max(64),
    /** Whose currency is that of the service; what is paid comes from it, what is given back goes into it. */
    wallet_id: idSchema,
    when: z.enum(['now', 'period_end']).default('now'),
    /** Begins a new period now, instead of keeping the end. */
    billing_period: billingPeriodSchema.optional(),
    /** Asks for it to begin before the 14 days for a withdrawal are over: time used is then paid for. */
    immediate: z.boolean().optional(),
  })
  .refine(({ when, billing_period }) => when === 'now' || billing_period === undefined, {
    path: ['billing_period'],
    error: 'a new period begins now',
  })
export type UpgradeBody = z.output<typeof upgradeBody>

export const serviceChangeSchema = z.object({
  product: z.string(),
  expires: timeSchema.nullable(),
  /** Gross; minus was given back. */
  amount: moneySchema,
  planned: scheduledActionSchema.nullable(),
})
export type ServiceChange = z.infer<typeof serviceChangeSchema>

export const addOnQuoteSchema = z.object({
  currency: currencySchema,
  billing_period: billingPeriodSchema,
  expires: timeSchema.nullable(),
  add_ons: z.array(addOnSchema),
  options: z.array(
    z.object({
      product: productSchema,
      /** Gross: of one period, and now for the hours that the server has left. */
      price: moneySchema.nullable(),
      price_now: moneySchema.nullable(),
      obstacle: obstacleSchema,
    }),
  ),
})
export type AddOnQuote = z.infer<typeof addOnQuoteSchema>

export const addOnBody = z.object({
  product_id: z.string().max(64),
  wallet_id: idSchema,
  /** Asks for it to begin before the 14 days for a withdrawal are over: time used is then paid for. */
  immediate: z.boolean().optional(),
})
