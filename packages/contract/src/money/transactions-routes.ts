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
  summary: 'Ways to pay that are open to the caller',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: z.array(providerSchema) },
  errors: [],
})
export const listProvidersOfServer = defineRoute({
  method: 'GET',
  path: '/providers/server/:id',
  tag,
  summary: 'Ways to top up the wallet that pays for a server; none for those whose wallet it is not',
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
  summary: 'Begin a top-up; answers where to send the payer',
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
  summary: 'Go on with a top-up by BLIK whose code was no good',
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
  summary: 'One transaction',
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
  summary: 'Go on with a PayPal payment whose payer is back: take the money, or give it up',
  access: { kind: 'user' },
  body: z.object({
    transaction_id: idSchema,
    /** The payer called it off on PayPal's page. */
    cancelled: z.boolean().default(false),
  }),
  responses: { 201: paypalReturnSchema },
  errors: ['transaction_not_found', 'unsupported_payment_method'],
})
