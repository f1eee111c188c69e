import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { withdrawalSchema } from '../withdrawal.ts'

const tag = 'Withdrawal'
const params = z.object({ id: idSchema })
const access = { kind: 'service', param: 'id' } as const

export const getWithdrawal = defineRoute({
  method: 'GET',
  path: '/billings/services/:id/withdrawal',
  tag,
  summary: 'Whether the contract, or its last renewal, can be withdrawn from, until when, and what would be given back',
  access,
  params,
  responses: { 200: withdrawalSchema },
  errors: ['resource_not_found'],
})
export const declareWithdrawal = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/withdrawal',
  tag,
  summary: 'First step: declares the withdrawal; nothing ends yet',
  access,
  params,
  responses: { 201: withdrawalSchema },
  errors: ['resource_not_found', 'withdrawal_not_possible', 'access_denied'],
})
export const confirmWithdrawal = defineRoute({
  method: 'POST',
  path: '/billings/services/:id/withdrawal/confirm',
  tag,
  summary:
    'Second step: the service ends now, or when it did before the renewal; the money goes to the wallet, a mail tells so',
  access,
  params,
  body: z.object({ declaration_id: idSchema }),
  responses: { 200: withdrawalSchema },
  errors: ['resource_not_found', 'withdrawal_not_possible', 'access_denied'],
})
