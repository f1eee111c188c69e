import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { withdrawalParts, withdrawalSchema } from './withdrawal.ts'

const tag = 'Withdrawal'
const params = z.object({ id: idSchema })
/** Without it all of the contract while its 14 days last, and then the last renewal. */
const part = z.enum(withdrawalParts).optional()
const access = { kind: 'service', param: 'id' } as const

export const getWithdrawal = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/withdrawal',
  tag,
  summary:
    'Get whether the contract or its latest purchase can be withdrawn from, until when, and what would be refunded',
  access,
  params,
  query: z.object({ part }),
  responses: { 200: withdrawalSchema },
  errors: ['resource_not_found'],
})
export const declareWithdrawal = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/withdrawal',
  tag,
  summary: 'Declare a withdrawal, step 1 of 2. Nothing ends yet.',
  access,
  params,
  query: z.object({ part }),
  responses: { 201: withdrawalSchema },
  errors: ['resource_not_found', 'withdrawal_not_possible', 'access_denied'],
})
export const confirmWithdrawal = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/withdrawal/confirm',
  tag,
  summary:
    'Confirm a withdrawal, step 2 of 2. The service ends or reverts to what it was, the wallet is refunded, and a confirmation is sent by e-mail.',
  access,
  params,
  body: z.object({ declaration_id: idSchema }),
  responses: { 200: withdrawalSchema },
  errors: [
    'resource_not_found',
    'withdrawal_not_possible',
    'access_denied',
    'insufficient_storage',
    'service_unavailable',
  ],
})
export const getEarlyStart = defineRoute({
  method: 'GET',
  path: '/users/:id/early-start',
  tag,
  summary:
    'Get whether what a user buys now has to begin within its withdrawal period, as they were refunded in full within the last year',
  access: { kind: 'self', param: 'id' },
  params,
  responses: { 200: z.object({ required: z.boolean() }) },
  errors: ['user_not_found'],
})
