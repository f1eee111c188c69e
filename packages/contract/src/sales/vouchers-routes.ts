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
  summary: 'Make vouchers: one or many, within what an administrator may give away in a day',
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
  summary:
    'What was made and how much of it is used, newest first; trials that the product itself gives out are left out',
  access: makers,
  query: page,
  responses: { 200: z.object({ data: z.array(voucherGroupSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const listVouchersOfGroup = defineRoute({
  method: 'GET',
  path: '/admin/voucher/groups/:id',
  tag,
  summary: 'All codes of one making',
  access: makers,
  params: z.object({ id: idSchema }),
  responses: { 200: generatedVouchersSchema },
  errors: ['insufficient_capabilities', 'voucher_not_found'],
})
export const revokeVouchers = defineRoute({
  method: 'POST',
  path: '/admin/voucher/groups/:id/revoke',
  tag,
  summary: 'Take codes of one making back: nobody uses them any more, what they have given stays given',
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
  summary: 'Vouchers that a user has redeemed, newest first',
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
  summary: 'What a code gives, if the caller can still use it',
  access: { kind: 'user' },
  params: z.object({ code: voucherCodeSchema }),
  responses: { 200: shownVoucherSchema },
  errors: voucherCodeFaults,
})
export const redeemOnService = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/voucher',
  tag,
  summary: 'Use a voucher on a service: hours, a coupon, an add-on',
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
  summary: 'Use a voucher that is worth money: it goes into the wallet, and stays there until it is spent',
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
  summary: 'Coupons of a service, newest first',
  access: { kind: 'service', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(serviceCouponSchema) },
  errors: [],
})
export const getServiceCoupon = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/vouchers/:couponId',
  tag,
  summary: 'One coupon of a service',
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
  summary: 'A code of one’s own for a trial server; the same one until it is used',
  access: { kind: 'user' },
  params: z.object({ id: z.string().max(64) }),
  responses: { 201: shownVoucherSchema },
  errors: ['product_not_found', 'product_not_available', 'voucher_already_used'],
})
