import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { taxDataBody } from './tax-data-form.ts'
import { taxDataSchema } from './tax-data.ts'

export const setTaxData = defineRoute({
  method: 'PUT',
  path: '/users/:id/taxdata',
  tag: 'Users',
  summary: 'Set the user’s billing details for invoices. A new VAT ID is checked against the EU register afterwards.',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema }),
  body: taxDataBody,
  responses: { 200: taxDataSchema },
  errors: ['user_not_found'],
})
export const getTaxData = defineRoute({
  method: 'GET',
  path: '/users/:id/taxdata',
  tag: 'Users',
  summary:
    'Get the user’s billing details for invoices and the EU register’s result for the VAT ID, or null if none are set',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: taxDataSchema.nullable() },
  errors: ['user_not_found'],
})
