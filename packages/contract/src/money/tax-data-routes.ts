import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { taxDataBody } from './tax-data-form.ts'
import { taxDataSchema } from './tax-data.ts'

export const setTaxData = defineRoute({
  method: 'PUT',
  path: '/users/:id/taxdata',
  tag: 'Users',
  summary: 'What invoices say of the buyer; a new VAT id is checked with the EU’s register afterwards',
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
  summary: 'What invoices say of the buyer, and what the EU’s register says of the VAT id; null before it is given',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: taxDataSchema.nullable() },
  errors: ['user_not_found'],
})
