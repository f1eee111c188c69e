import { z } from 'zod'
import { idSchema, pagingQuery } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  generatedVouchersSchema,
  generateVouchersBody,
  redeemVoucherBody,
  redemptionSchema,
  revokeVouchersBody,
  serviceCouponSchema,
  shownVoucherSchema,
  serviceVoucherFaults,
  voucherCodeFaults,
  voucherGroupSchema,
  voucherUseSchema,
} from './voucher.ts'
import { voucherCodeSchema } from './voucher-code.ts'

const tag = 'Vouchers'
const page = z.object(pagingQuery)
const makers = { kind: 'capability', capability: 'admin.vouchers.generate' } as const
export const generateVouchers = defineRoute({
  method: 'POST',
  path: '/admin/voucher/generate',
  tag,
  summary: 'Create one or more vouchers, within an administrator’s daily limits',
  access: makers,
  body: generateVouchersBody,
  responses: { 201: generatedVouchersSchema },
  errors: [
    'insufficient_capabilities',
    'voucher_invalid_quantity',
    'voucher_daily_limit_reached',
    'voucher_daily_hours_limit_reached',
    'voucher_daily_value_limit_reached',
    'product_not_found',
    'product_not_available',
    'product_has_no_price_for_selected_currency',
  ],
})
export const listVoucherGroups = defineRoute({
  method: 'GET',
  path: '/admin/voucher/groups',
  tag,
  summary: 'List batches of vouchers and their use, newest first. Trials issued by the product itself are left out.',
  access: makers,
  query: page,
  responses: { 200: z.object({ data: z.array(voucherGroupSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const listVouchersOfGroup = defineRoute({
  method: 'GET',
  path: '/admin/voucher/groups/:id',
  tag,
  summary: 'List all vouchers of a batch',
  access: makers,
  params: z.object({ id: idSchema }),
  responses: { 200: generatedVouchersSchema },
  errors: ['insufficient_capabilities', 'voucher_not_found'],
})
export const revokeVouchers = defineRoute({
  method: 'POST',
  path: '/admin/voucher/groups/:id/revoke',
  tag,
  summary: 'Revoke some vouchers of a batch, or all that can still be used. What they have already given is kept.',
  access: makers,
  params: z.object({ id: idSchema }),
  body: revokeVouchersBody,
  responses: { 200: generatedVouchersSchema },
  errors: ['insufficient_capabilities', 'voucher_not_found'],
})
export const listAdminVoucherUses = defineRoute({
  method: 'GET',
  path: '/admin/users/:id/voucher_uses',
  tag,
  summary: 'List the vouchers that a user has redeemed, newest first',
  access: { kind: 'capability', capability: 'admin' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  query: page,
  responses: { 200: z.object({ data: z.array(voucherUseSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getVoucher = defineRoute({
  method: 'GET',
  path: '/billings/vouchers/:code',
  tag,
  summary: 'Get what a voucher gives, if the caller can still use it',
  access: { kind: 'user' },
  params: z.object({ code: voucherCodeSchema }),
  responses: { 200: shownVoucherSchema },
  errors: voucherCodeFaults,
})
export const redeemOnService = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/voucher',
  tag,
  summary: 'Redeem a voucher on a service, for hours, a coupon or an add-on',
  access: { kind: 'service', param: 'id' },
  params: z.object({ id: idSchema }),
  body: redeemVoucherBody,
  responses: { 200: redemptionSchema },
  errors: serviceVoucherFaults,
  idempotent: true,
})
export const redeemIntoWallet = defineRoute({
  method: 'POST',
  path: '/wallets/:id/voucher',
  tag,
  summary: 'Redeem a voucher worth money into a wallet. The amount can be spent but not paid out.',
  access: { kind: 'wallet', param: 'id' },
  params: z.object({ id: idSchema }),
  body: redeemVoucherBody,
  responses: { 200: redemptionSchema },
  errors: [...voucherCodeFaults, 'voucher_not_for_billing', 'voucher_has_not_supporting_currency'],
  idempotent: true,
})
export const listServiceCoupons = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/vouchers',
  tag,
  summary: 'List the coupons of a service, newest first',
  access: { kind: 'service', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(serviceCouponSchema) },
  errors: [],
})
export const getServiceCoupon = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/vouchers/:couponId',
  tag,
  summary: 'Get a coupon of a service',
  access: { kind: 'service', param: 'id' },
  params: z.object({ id: idSchema, couponId: idSchema }),
  responses: { 200: serviceCouponSchema },
  errors: ['voucher_not_found'],
})
/** Trials. */
export const startTrial = defineRoute({
  method: 'POST',
  path: '/billings/products/:id/trial',
  tag,
  summary: 'Get a personal voucher for a trial server. The same one is returned until it is used.',
  access: { kind: 'user' },
  params: z.object({ id: z.string().max(64) }),
  responses: { 201: shownVoucherSchema },
  errors: ['product_not_found', 'product_not_available', 'voucher_already_used'],
})
