import { z } from 'zod'
import { billingPeriodSchema, currencySchema, idSchema, pagingQuery } from '../primitives.ts'
import { costSchema, productSchema } from './product.ts'
import { allBusyCodes } from '../servers/operations.ts'
import { defineRoute } from '../route.ts'
import { voucherCodesQuery } from './voucher-code.ts'
import { orderVoucherFaults, serviceVoucherFaults } from './voucher.ts'
import {
  addOnBody,
  addOnQuoteSchema,
  addOnSchema,
  serviceChangeSchema,
  upgradeBody,
  upgradeQuoteSchema,
} from './service-change.ts'
import { transactionSchema } from '../money/transaction.ts'
import { changeServiceBody, renewServiceBody, serviceSchema } from './service.ts'

const tag = 'Billing'
const params = z.object({ id: z.string().max(64) })
const serviceParams = z.object({ id: idSchema })

export const listProducts = defineRoute({
  method: 'GET',
  path: '/billings/products',
  tag,
  summary: 'List the products on sale, with gross prices that include the VAT of the caller’s country',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: z.array(productSchema) },
  errors: [],
})
export const getProduct = defineRoute({
  method: 'GET',
  path: '/billings/products/:id',
  tag,
  summary: 'Get a product',
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
  summary: 'Get what a product would cost the caller, by period and cluster',
  access: { kind: 'public' },
  keyScope: 'any',
  params,
  query: z.object({
    currency: z.string().length(3).pipe(currencySchema).default('PLN'),
    period: billingPeriodSchema.optional(),
    cluster_id: z.string().max(64).optional(),
    vouchers: voucherCodesQuery.optional(),
  }),
  responses: { 200: z.array(costSchema) },
  errors: ['product_not_found', 'product_has_no_price_for_selected_currency', ...orderVoucherFaults],
})

export const getService = defineRoute({
  method: 'GET',
  path: '/billings/services/:id',
  tag,
  summary: 'Get a service: what is rented, until when, and at what price',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 200: serviceSchema },
  errors: [],
})
export const getServiceCost = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/cost',
  tag,
  summary: 'Get what renewing a service costs now, by period',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  query: z.object({
    currency: z.string().length(3).pipe(currencySchema).optional(),
    vouchers: voucherCodesQuery.optional(),
  }),
  responses: { 200: z.array(costSchema) },
  errors: ['product_has_no_price_for_selected_currency', ...serviceVoucherFaults],
})
export const renewService = defineRoute({
  method: 'POST',
  path: '/billings/services/:id',
  tag,
  summary: 'Renew a service from a wallet at the current price. The new period starts when the current one ends.',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  body: renewServiceBody,
  responses: { 200: serviceSchema },
  errors: [
    'wallet_not_found',
    'wallet_has_other_currency',
    'wallet_has_not_funds',
    'unsupported_payment_method',
    'insufficient_capabilities',
    'affiliate_not_active',
    'affiliate_has_not_funds',
    'pay_later_not_available',
    'no_price_for_parameters',
    'product_not_available',
    'server_is_expired',
    ...serviceVoucherFaults,
  ],
  idempotent: true,
})
export const renewFreeService = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/renew/free',
  tag,
  summary: 'Renew a free server for another period. Only possible in its last days.',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 200: serviceSchema },
  errors: ['product_not_available', 'too_many_requests', 'server_is_expired'],
})
/** Added. */
export const deleteFreeServer = defineRoute({
  method: 'DELETE',
  path: '/billings/services/:id/server',
  tag,
  summary: 'Delete a free server with all of its files, at once and for good',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 204: null },
  errors: ['access_denied', 'product_not_available', 'server_id_not_found', 'resource_not_found', ...allBusyCodes],
})
export const changeService = defineRoute({
  method: 'PATCH',
  path: '/billings/services/:id',
  tag,
  summary: 'Turn automatic renewal on or off. It renews the service from its wallet a day before it ends.',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  body: changeServiceBody,
  responses: { 200: serviceSchema },
  errors: ['product_not_available'],
})

const changeErrors = [
  'service_cannot_be_upgraded',
  'server_is_expired',
  'insufficient_storage',
  'no_price_for_parameters',
  'product_not_found',
  'product_not_available',
  'product_has_no_price_for_selected_currency',
  'wallet_not_found',
  'wallet_has_other_currency',
  'wallet_has_not_funds',
  'user_has_debts',
] as const

export const getServiceUpgrade = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/upgrade',
  tag,
  summary: 'Get the plans that a service could change to, and exactly what each change costs or credits now',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 200: upgradeQuoteSchema },
  errors: ['product_not_found'],
})
export const upgradeService = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/upgrade',
  tag,
  summary:
    'Change a service’s plan: now for the remaining hours, now with a new period, or at the end of the paid period',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  body: upgradeBody,
  responses: { 200: serviceChangeSchema },
  errors: changeErrors,
  idempotent: true,
})
export const cancelServiceUpgrade = defineRoute({
  method: 'DELETE',
  path: '/billings/services/:id/upgrade/cancel',
  tag,
  summary: 'Cancel a planned change of plan',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 200: serviceSchema },
  errors: ['service_cannot_be_upgraded'],
})
export const listServiceAddOns = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/add',
  tag,
  summary: 'List a server’s add-ons and those that it could get, at current prices',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  responses: { 200: addOnQuoteSchema },
  errors: [],
})
export const addServiceAddOn = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/add',
  tag,
  summary:
    'Add an add-on such as memory or storage for the server’s remaining hours. It renews and ends with the server.',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  body: addOnBody,
  responses: { 201: addOnSchema },
  errors: changeErrors,
  idempotent: true,
})
// added
export const listServiceTransactions = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/transactions',
  tag,
  summary: 'List the payments and refunds of a service, newest first',
  access: { kind: 'service', param: 'id' },
  params: serviceParams,
  query: z.object(pagingQuery),
  responses: { 200: z.object({ data: z.array(transactionSchema), count: z.int() }) },
  errors: [],
})
export const removeServiceAddOn = defineRoute({
  method: 'DELETE',
  path: '/billings/services/:id/add/:addOnId',
  tag,
  summary: 'Remove an add-on. What was paid for its remaining hours is credited to the wallet.',
  access: { kind: 'service', param: 'id' },
  params: serviceParams.extend({ addOnId: idSchema }),
  responses: { 200: serviceSchema },
  errors: changeErrors,
})
