/** A server's shop, as players see it. Nobody needs an account here. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  madeOrderSchema,
  orderPageSchema,
  publicShopSchema,
  shopOrderBody,
  shopQuoteBody,
  shopQuoteSchema,
} from './shop.ts'

const tag = 'Shop'
/** A server's id, or the first part of its address. */
const params = z.object({ server: z.string().min(1).max(64) })
const access = { kind: 'public' } as const
const refusals = [
  'shop_not_found',
  'resource_not_found',
  'shop_item_sold_out',
  'shop_player_unknown',
  'shop_gift_refused',
  'shop_coupon_invalid',
] as const

export const getPublicShop = defineRoute({
  method: 'GET',
  path: '/shops/:server',
  tag,
  summary: 'Get what a server sells to its players',
  access,
  keyScope: 'any',
  params,
  responses: { 200: publicShopSchema },
  errors: ['shop_not_found'],
})
export const quoteShopOrder = defineRoute({
  method: 'POST',
  path: '/shops/:server/quote',
  tag,
  summary: 'Get the price of an item for a player, with a coupon if any. Nothing is ordered.',
  access,
  params,
  body: shopQuoteBody,
  responses: { 200: shopQuoteSchema },
  errors: refusals,
})
export const createShopOrder = defineRoute({
  method: 'POST',
  path: '/shops/:server/orders',
  tag,
  summary: 'Order an item for a player and get where to send the payer',
  access,
  idempotent: true,
  params,
  body: shopOrderBody,
  responses: { 201: madeOrderSchema },
  errors: [
    ...refusals,
    'shop_price_changed',
    'unsupported_payment_method',
    'transaction_value_too_low',
    'transaction_value_too_high',
    'provider_unavailable',
    'idempotency_key_reused',
  ],
})
export const getShopOrder = defineRoute({
  method: 'GET',
  path: '/shop-orders/:order_id',
  tag,
  summary: 'Get an order. The order’s key is required.',
  access,
  params: z.object({ order_id: idSchema }),
  query: z.object({ key: z.string().max(64) }),
  responses: { 200: orderPageSchema },
  errors: ['resource_not_found'],
})
export const returnToShopOrder = defineRoute({
  method: 'POST',
  path: '/shop-orders/:order_id/return',
  tag,
  summary: 'Check the payment of an order now that the payer has returned from the provider',
  access,
  params: z.object({ order_id: idSchema }),
  body: z.object({ key: z.string().max(64), cancelled: z.boolean().default(false) }),
  responses: { 200: orderPageSchema },
  errors: ['resource_not_found', 'transaction_not_found', 'unsupported_payment_method'],
})
