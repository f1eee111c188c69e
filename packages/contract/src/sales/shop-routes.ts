/** A server's shop, as its owner keeps it. */
import { z } from 'zod'
import { idSchema, pagingQuery } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  shopCategoriesBody,
  shopCouponBody,
  shopDeliverySchema,
  shopGoalBody,
  shopItemBody,
  shopLimits,
  shopOrderSchema,
  shopPictureSchema,
  shopSchema,
  shopSettingsBody,
} from './shop.ts'

const tag = 'Shop'
const params = z.object({ id: idSchema })
const one = (key: string) => z.object({ id: idSchema, [key]: idSchema })
const access = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const manage = { tag, access, keyScope: 'access' } as const

export const getShop = defineRoute({
  ...manage,
  method: 'GET',
  path: '/servers/:id/shop',
  summary: 'Get a server’s shop with everything on sale. Closed and empty if the server never had one.',
  params,
  responses: { 200: shopSchema },
  errors: hidden,
})
export const changeShop = defineRoute({
  ...manage,
  method: 'PUT',
  path: '/servers/:id/shop',
  summary: 'Open or close the shop and set its seller. Only for the server’s owner, whose wallet is credited.',
  params,
  body: shopSettingsBody,
  responses: { 200: shopSchema },
  errors: [...hidden, 'access_denied', 'shop_rules_not_confirmed', 'shop_seller_missing', 'shop_currency_fixed'],
})
export const changeShopCategories = defineRoute({
  ...manage,
  method: 'PUT',
  path: '/servers/:id/shop/categories',
  summary: 'Replace all categories, in order. Items of a category that is left out no longer have one.',
  params,
  body: shopCategoriesBody,
  responses: { 200: shopSchema },
  errors: [...hidden, 'resource_not_found'],
})
export const createShopItem = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/items',
  summary: 'Create a shop item',
  params,
  body: shopItemBody,
  responses: { 201: shopSchema },
  errors: [...hidden, 'resource_not_found', 'shop_is_full', 'shop_rules_not_confirmed'],
})
export const changeShopItem = defineRoute({
  ...manage,
  method: 'PUT',
  path: '/servers/:id/shop/items/:item_id',
  summary: 'Update a shop item. Earlier orders are not affected.',
  params: one('item_id'),
  body: shopItemBody,
  responses: { 200: shopSchema },
  errors: [...hidden, 'resource_not_found', 'shop_rules_not_confirmed'],
})
export const deleteShopItem = defineRoute({
  ...manage,
  method: 'DELETE',
  path: '/servers/:id/shop/items/:item_id',
  summary: 'Delete a shop item. Its orders are kept.',
  params: one('item_id'),
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
export const addShopPicture = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/pictures',
  summary:
    'Add a picture for the shop or an item, as a form with a file named `picture` (PNG, JPEG, WebP, GIF). Unused ones are deleted after a day.',
  params,
  takesFiles: true,
  fileLimits: { files: 1, bytes: shopLimits.pictureBytes },
  body: z.object({}),
  responses: { 201: shopPictureSchema },
  errors: [...hidden, 'invalid_file', 'file_is_too_large', 'shop_is_full', 'request_too_large'],
})
export const createShopCoupon = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/coupons',
  summary: 'Create a shop coupon',
  params,
  body: shopCouponBody,
  responses: { 201: shopSchema },
  errors: [...hidden, 'resource_not_found', 'resource_already_exists', 'shop_is_full'],
})
export const deleteShopCoupon = defineRoute({
  ...manage,
  method: 'DELETE',
  path: '/servers/:id/shop/coupons/:coupon_id',
  summary: 'Delete a shop coupon. Orders made with it are kept.',
  params: one('coupon_id'),
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
export const createShopGoal = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/goals',
  summary: 'Create a shop goal. It counts sales from now on.',
  params,
  body: shopGoalBody,
  responses: { 201: shopSchema },
  errors: [...hidden, 'shop_is_full'],
})
export const deleteShopGoal = defineRoute({
  ...manage,
  method: 'DELETE',
  path: '/servers/:id/shop/goals/:goal_id',
  summary: 'Delete a shop goal',
  params: one('goal_id'),
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
export const listShopOrders = defineRoute({
  ...manage,
  method: 'GET',
  path: '/servers/:id/shop/orders',
  summary: 'List shop orders, newest first',
  params,
  query: z.object(pagingQuery),
  responses: { 200: z.object({ data: z.array(shopOrderSchema), count: z.int() }) },
  errors: hidden,
})
export const refundShopOrder = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/orders/:order_id/refund',
  summary: 'Refund an order to the buyer’s payment method. Only for the server’s owner.',
  params: one('order_id'),
  body: z.object({ reason: z.string().trim().min(3, 'reason').max(500, 'reason') }),
  responses: { 200: z.object({ data: z.array(shopOrderSchema), count: z.int() }) },
  errors: [
    ...hidden,
    'access_denied',
    'resource_not_found',
    'transaction_not_refundable',
    'refund_exceeds_payment',
    'refund_exceeds_balance',
  ],
})
export const listShopDeliveries = defineRoute({
  ...manage,
  method: 'GET',
  path: '/servers/:id/shop/deliveries',
  summary: 'List the commands of orders, newest first. With `open`, only those not delivered yet or needing attention.',
  params,
  query: z.object({ ...pagingQuery, open: z.stringbool().default(false), order_id: idSchema.optional() }),
  responses: { 200: z.object({ data: z.array(shopDeliverySchema), count: z.int() }) },
  errors: hidden,
})
export const settleShopDelivery = defineRoute({
  ...manage,
  method: 'POST',
  path: '/servers/:id/shop/deliveries/:delivery_id',
  summary: 'Send a command again, mark it as delivered, or give it up',
  params: one('delivery_id'),
  body: z.object({ outcome: z.enum(['again', 'arrived', 'dropped']) }),
  responses: { 200: shopDeliverySchema },
  errors: [...hidden, 'resource_not_found', 'delivery_is_under_way', 'shop_order_given_back'],
})
