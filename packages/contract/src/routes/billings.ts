import { z } from 'zod'
import { billingPeriodSchema, currencySchema } from '../primitives.ts'
import { costSchema, productSchema } from '../product.ts'
import { defineRoute } from '../route.ts'

const tag = 'Billing'
const params = z.object({ id: z.string().max(64) })

export const listProducts = defineRoute({
  method: 'GET',
  path: '/billings/products',
  tag,
  summary: 'Products on sale, gross prices with the VAT of the caller’s country',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: z.array(productSchema) },
  errors: [],
})
export const getProduct = defineRoute({
  method: 'GET',
  path: '/billings/products/:id',
  tag,
  summary: 'One product',
  access: { kind: 'public' },
  keyScope: 'any',
  params,
  responses: { 200: productSchema },
  errors: ['product_not_found'],
})
export const getProductCost = defineRoute({
  method: 'GET',
  path: '/billings/products/:id/cost',
  tag,
  summary: 'What a product would cost the caller, per period and cluster',
  access: { kind: 'public' },
  keyScope: 'any',
  params,
  query: z.object({
    currency: z.string().length(3).pipe(currencySchema).default('PLN'),
    period: billingPeriodSchema.optional(),
    cluster_id: z.string().max(64).optional(),
  }),
  responses: { 200: z.array(costSchema) },
  errors: ['product_not_found', 'product_has_no_price_for_selected_currency'],
})
