import { z } from 'zod'
import {
  chargebackBody,
  debtSchema,
  paymentReturnKinds,
  paymentReturnSchema,
  paymentReturnStates,
  refundBody,
  settleReturnBody,
  transactionReturnsSchema,
} from './payment-return.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const reading = { kind: 'capability', capability: 'admin' } as const
const refunding = { kind: 'capability', capability: 'admin.payments.refund' } as const
const tag = 'Payments'
const params = z.object({ id: idSchema })
const paging = {
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(25),
}

export const listPaymentReturns = defineRoute({
  method: 'GET',
  path: '/admin/payment-returns',
  tag,
  summary: 'List refunds and chargebacks, newest first',
  access: reading,
  keyScope: 'access',
  query: z.object({
    kind: z.enum(paymentReturnKinds).optional(),
    state: z.enum(paymentReturnStates).optional(),
    user_id: idSchema.optional(),
    ...paging,
  }),
  responses: { 200: z.object({ data: z.array(paymentReturnSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getTransactionReturns = defineRoute({
  method: 'GET',
  path: '/admin/transactions/:id/returns',
  tag,
  summary: 'Get how much of a top-up can still be refunded, and its refunds and chargebacks so far',
  access: reading,
  keyScope: 'access',
  params,
  responses: { 200: transactionReturnsSchema },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
export const refundTransaction = defineRoute({
  method: 'POST',
  path: '/admin/transactions/:id/refunds',
  tag,
  summary: 'Refund a top-up to its payer through the payment provider, in full or in part',
  access: refunding,
  stepUp: true,
  idempotent: true,
  params,
  body: refundBody,
  responses: { 201: paymentReturnSchema },
  errors: [
    'insufficient_capabilities',
    'resource_not_found',
    'transaction_not_refundable',
    'refund_exceeds_payment',
    'refund_exceeds_balance',
    'idempotency_key_reused',
  ],
})
export const enterChargeback = defineRoute({
  method: 'POST',
  path: '/admin/transactions/:id/chargebacks',
  tag,
  summary:
    'Record a chargeback or refund that the provider does not report through its API, such as one announced by letter',
  access: refunding,
  stepUp: true,
  params,
  body: chargebackBody,
  responses: { 201: paymentReturnSchema },
  errors: [
    'insufficient_capabilities',
    'resource_not_found',
    'transaction_not_refundable',
    'refund_exceeds_payment',
    'idempotency_key_reused',
  ],
})
export const settlePaymentReturn = defineRoute({
  method: 'POST',
  path: '/admin/payment-returns/:id/settle',
  tag,
  summary: 'Record how a refund or chargeback ended if its provider does not report it: completed, failed or returned',
  access: refunding,
  stepUp: true,
  params,
  body: settleReturnBody,
  responses: { 200: paymentReturnSchema },
  errors: ['insufficient_capabilities', 'resource_not_found', 'return_is_over'],
})
export const listDebts = defineRoute({
  method: 'GET',
  path: '/admin/debts',
  tag,
  summary: 'List what users owe for payments that were taken back, open debts first, then newest first',
  access: reading,
  keyScope: 'access',
  query: z.object(paging),
  responses: { 200: z.object({ data: z.array(debtSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
