/** Vouchers: codes that give something once. Coupons: what a voucher leaves on a service for its renewals. */
import { z } from 'zod'
import { findExpressionFault } from './coupon-expression.ts'
import { billingPeriodSchema, currencySchema, idSchema, timeSchema } from '../primitives.ts'
import { engineIds, games } from '../servers/server.ts'
import { voucherCodeSchema } from './voucher-code.ts'

const hours = z.int().min(1).max(8760)
/** At most one amount in each currency. */
const amounts = z
  .array(z.object({ amount: z.int().min(0).max(10_000_000), currency: currencySchema }))
  .min(1)
  .max(3)
  .refine((list) => new Set(list.map(({ currency }) => currency)).size === list.length, 'voucher_amounts')
const product = z.string().min(1).max(64)

/** Why a code is refused: for what it is itself, and for what it is used on. */
export const voucherCodeFaults = [
  'voucher_not_found',
  'voucher_expired',
  'voucher_already_used',
  'voucher_revoked',
] as const
const fitFaults = [
  'voucher_not_for_billing',
  'voucher_not_for_cluster',
  'voucher_not_for_current_config',
  'voucher_has_not_supporting_currency',
  'invalid_voucher_for_billing_period',
] as const
export const orderVoucherFaults = [...voucherCodeFaults, ...fitFaults, 'invalid_voucher_for_product'] as const
export const serviceVoucherFaults = [
  ...voucherCodeFaults,
  ...fitFaults,
  'voucher_not_for_product',
  'voucher_not_for_service',
  'billing_service_already_has_coupon',
] as const

export const couponSpecSchema = z
  .object({
    name: z.string().trim().min(1).max(60),
    /** What a renewal costs, net, in the language of `coupon-expression.ts`; null: as ever. */
    expression: z
      .string()
      .max(200)
      .refine((text) => findExpressionFault(text) === null, 'expression')
      .nullable()
      .default(null),
    add_hours_on_renewal: z.int().min(0).max(8760).default(0),
    /** When it ends; null: never. */
    end_time: timeSchema.nullable().default(null),
    /** How many renewals it serves; null: all until its end. */
    uses_left: z.int().min(1).max(1000).nullable().default(1),
    details: z.record(z.string().max(40), z.string().max(200)).default({}),
  })
  .refine(({ expression, add_hours_on_renewal }) => expression !== null || add_hours_on_renewal > 0, 'coupon_empty')
  // Hours without an end could not be counted.
  .refine(({ add_hours_on_renewal, uses_left }) => add_hours_on_renewal === 0 || uses_left !== null, 'coupon_uses')
export type CouponSpec = z.output<typeof couponSpecSchema>

/** What a voucher is for (an empty list: for all) and what it gives. */
const dataSchema = z.object({
  product_id: z.array(product).max(50).default([]),
  billing_period: z.array(billingPeriodSchema).max(3).default([]),
  cluster_id: z.array(z.string().min(1).max(64)).max(20).default([]),
  /** What a server must be like; a missing one may be anything. */
  user_parameters: z
    .object({ game: z.array(z.enum(games)).optional(), engine: z.array(z.enum(engineIds)).optional() })
    .default({}),
  /** A note of the administrator's; customers do not see it. */
  comment: z.string().trim().max(200).default(''),
  /** Free time. */
  add_hours: hours.nullable().default(null),
  /** Net price of a purchase or a renewal, in these currencies. */
  new_cost: amounts.nullable().default(null),
  coupon: couponSpecSchema.nullable().default(null),
  /** Into the wallet, one of these amounts. */
  wallet_tx: amounts.nullable().default(null),
  /** An add-on that a server gets until its end. */
  add_product: product.nullable().default(null),
  /** Makes a new server that lasts `add_hours`, and does nothing else. */
  new_server: z.boolean().default(false),
})
export const voucherDataSchema = dataSchema.superRefine((data, context) => {
  const fault = (path: string) => context.addIssue({ code: 'custom', path: [path], message: 'voucher_effects' })
  const { add_hours, new_cost, coupon, wallet_tx, add_product, new_server, product_id } = data
  const onServices = [add_hours, new_cost, coupon, add_product].filter((effect) => effect !== null)
  if (onServices.length === 0 && wallet_tx === null) fault('add_hours')
  // Money has no service that the other effects could be on.
  if (wallet_tx !== null && (onServices.length > 0 || new_server)) fault('wallet_tx')
  if (add_product !== null && onServices.length > 1) fault('add_product')
  if (wallet_tx !== null && wallet_tx.some(({ amount }) => amount === 0)) fault('wallet_tx')
  // What is given away is counted by what it would cost.
  const isCheaper = new_cost !== null || coupon?.expression != null
  if (isCheaper && product_id.length === 0) fault('product_id')
  if (new_server && (add_hours === null || new_cost !== null || product_id.length === 0)) fault('new_server')
})
export type VoucherData = z.output<typeof voucherDataSchema>

/** Groups of trial servers end in the id of a product: one in 90 days for each account. */
export const testingGroupPrefix = 'testing-server-'
export const isTestingGroup = (group: string | null) => group?.startsWith(testingGroupPrefix) === true

export const generateVouchersBody = z.object({
  /** How many codes; how many there may be at once is a limit of its own. */
  quantity: z.int(),
  prefix: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-Z0-9][A-Z0-9-]{0,23})?$/, 'voucher_prefix')
    .default(''),
  /** A user may use one voucher of a group. */
  group_id: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'voucher_group')
    .nullable()
    .default(null),
  /** How often each code can be used in all, and how often by one user. */
  uses_left: z.int().min(1).max(100_000).default(1),
  per_user: z.int().min(1).max(100).default(1),
  /** Without it a year from now. */
  expires: timeSchema.optional(),
  data: voucherDataSchema,
})
export type GenerateVouchersBody = z.output<typeof generateVouchersBody>

/** As administrators see it. */
export const voucherSchema = z.object({
  id: idSchema,
  code: z.string(),
  created_at: timeSchema,
  expires: timeSchema,
  last_use_id: idSchema.nullable(),
  group_id: z.string().nullable(),
  /** As it was made. */
  uses: z.int(),
  uses_left: z.int(),
  per_user: z.int(),
  /** When it was taken back. */
  revoked_at: timeSchema.nullable(),
  data: dataSchema,
})
export type Voucher = z.output<typeof voucherSchema>

/** As who holds the code sees it. */
export const shownVoucherSchema = voucherSchema
  .omit({ uses: true, last_use_id: true, revoked_at: true })
  .extend({ data: dataSchema.omit({ comment: true }) })
export type ShownVoucher = z.output<typeof shownVoucherSchema>

/** Some codes of one making; without, all that can still be used. */
export const revokeVouchersBody = z.object({ voucher_ids: z.array(idSchema).min(1).max(100).optional() })

export const generatedVouchersSchema = z.object({ vouchers: z.array(voucherSchema) })

export const voucherUseSchema = z.object({
  id: idSchema,
  ts: timeSchema,
  user_id: idSchema,
  voucher_id: idSchema,
  /** What it gave, and to what. */
  details: z.record(z.string(), z.unknown()),
  voucher: z.object({ group_id: z.string().nullable(), created_at: timeSchema }),
})
export type VoucherUse = z.infer<typeof voucherUseSchema>

/** What a redemption has given. */
export const redemptionSchema = z.object({
  use_id: idSchema,
  /** Hours added to the service, and its new end. */
  add_hours: z.int(),
  expires: timeSchema.nullable(),
  /** Money put into a wallet. */
  wallet_id: idSchema.nullable(),
  amount: z.object({ amount: z.int(), currency: z.string().length(3) }).nullable(),
  /** Whether it has left a coupon on the service. */
  coupon: z.boolean(),
  /** The add-on's service. */
  added_service_id: idSchema.nullable(),
})
export type Redemption = z.infer<typeof redemptionSchema>

export const redeemVoucherBody = z.object({ voucher: voucherCodeSchema })

export const serviceCouponSchema = z.object({
  id: idSchema,
  name: z.string(),
  expression: z.string().nullable(),
  add_hours_on_renewal: z.int(),
  end_time: timeSchema.nullable(),
  uses_left: z.int().nullable(),
  details: z.record(z.string(), z.unknown()),
  created_at: timeSchema,
  /** Whether the next renewal uses it. */
  active: z.boolean(),
})
export type ServiceCoupon = z.infer<typeof serviceCouponSchema>

/** A batch of vouchers of one making, as the administrators' list shows it. */
export const voucherGroupSchema = z.object({
  id: idSchema,
  group_id: z.string().nullable(),
  created_at: timeSchema,
  created_by: z.object({ id: idSchema, username: z.string() }).nullable(),
  expires: timeSchema,
  prefix: z.string(),
  per_user: z.int(),
  data: voucherSchema.shape.data,
  codes: z.int(),
  uses: z.int(),
  used: z.int(),
  /** Codes that were taken back. */
  revoked: z.int(),
  last_used_at: timeSchema.nullable(),
})
export type VoucherGroup = z.output<typeof voucherGroupSchema>
