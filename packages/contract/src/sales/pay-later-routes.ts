/** Bills of purchases that are paid later. */
import { z } from 'zod'
import { adminBillQuery, adminBillSchema, billSchema, payBillBody, payLaterSchema } from './pay-later.ts'
import { idSchema } from '../primitives.ts'
import { csvFile, defineRoute } from '../route.ts'

const tag = 'Payments'
const administration = { tag: 'Administration', access: { kind: 'capability', capability: 'admin' } } as const

export const getPayLater = defineRoute({
  method: 'GET',
  path: '/users/:id/pay-later',
  tag,
  summary: 'Get a user’s pay-later limits and bills',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: payLaterSchema },
  errors: ['user_not_found'],
})
export const payBill = defineRoute({
  method: 'POST',
  path: '/users/:id/pay-later/:billId/pay',
  tag,
  summary: 'Pay a bill from a wallet. Anything stopped because of it resumes.',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema, billId: idSchema }),
  body: payBillBody,
  responses: { 200: billSchema },
  errors: [
    'user_not_found',
    'access_denied',
    'resource_not_found',
    'wallet_not_found',
    'wallet_has_other_currency',
    'wallet_has_not_funds',
  ],
})
export const listBills = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/bills',
  summary: 'List the bills of all users, newest first',
  query: adminBillQuery,
  responses: { 200: z.object({ data: z.array(adminBillSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const exportBills = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/bills.csv',
  summary: 'Export all bills as CSV',
  ...csvFile,
  errors: ['insufficient_capabilities'],
})
