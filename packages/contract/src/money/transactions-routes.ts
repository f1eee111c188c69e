import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  codeSchema,
  createTransactionBody,
  paypalReturnSchema,
  providerSchema,
  transactionSchema,
} from './transaction.ts'

const tag = 'Payments'

export const listProviders = defineRoute({
  method: 'GET',
  path: '/providers',
  tag,
  summary: 'List the payment methods available to the caller',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: z.array(providerSchema) },
  errors: [],
})
export const listProvidersOfServer = defineRoute({
  method: 'GET',
  path: '/providers/server/:id',
  tag,
  summary:
    'List the payment methods for topping up the wallet that pays for a server. Empty if it is not the caller’s wallet.',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(providerSchema) },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const createTransaction = defineRoute({
  method: 'POST',
  path: '/transaction',
  tag,
  summary: 'Start a top-up and get where to send the payer',
  access: { kind: 'user' },
  keyScope: 'user.payments',
  idempotent: true,
  body: createTransactionBody,
  responses: { 201: transactionSchema },
  errors: [
    'wallet_not_found',
    'wallet_has_other_currency',
    'transaction_value_too_low',
    'transaction_value_too_high',
    'unsupported_payment_method',
    'provider_unavailable',
    'blik_code_invalid',
    'blik_code_expired',
    'blik_code_used',
    'idempotency_key_reused',
    'insufficient_capabilities',
  ],
})
export const sendTransactionCode = defineRoute({
  method: 'POST',
  path: '/transaction/:id/code',
  tag,
  summary: 'Retry a BLIK top-up with another code',
  access: { kind: 'transaction', param: 'id' },
  keyScope: 'user.payments',
  params: z.object({ id: idSchema }),
  body: z.object({ code: codeSchema }),
  responses: { 200: transactionSchema },
  errors: [
    'transaction_not_found',
    'transaction_is_not_new',
    'unsupported_payment_method',
    'provider_unavailable',
    'blik_code_invalid',
    'blik_code_expired',
    'blik_code_used',
    'insufficient_capabilities',
  ],
})
export const getTransaction = defineRoute({
  method: 'GET',
  path: '/transaction/:id',
  tag,
  summary: 'Get a transaction',
  access: { kind: 'transaction', param: 'id' },
  keyScope: 'user.read',
  params: z.object({ id: idSchema }),
  responses: { 200: transactionSchema },
  errors: ['transaction_not_found'],
})
export const completePaypal = defineRoute({
  method: 'POST',
  path: '/paypal/complete',
  tag,
  summary: 'Complete or cancel a PayPal payment after the payer has returned',
  access: { kind: 'user' },
  body: z.object({
    transaction_id: idSchema,
    /** The payer called it off on PayPal's page. */
    cancelled: z.boolean().default(false),
  }),
  responses: { 201: paypalReturnSchema },
  errors: ['transaction_not_found', 'unsupported_payment_method'],
})
