import { z } from 'zod'
import { dataExportSchema } from './data-export.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'Users'
const params = z.object({ id: idSchema })

export const listDataExports = defineRoute({
  method: 'GET',
  path: '/users/:id/exports',
  tag,
  summary: 'Copies of the user’s data, newest first',
  access: { kind: 'self', param: 'id' },
  params,
  responses: { 200: z.array(dataExportSchema) },
  errors: ['user_not_found'],
})
export const requestDataExport = defineRoute({
  method: 'POST',
  path: '/users/:id/exports',
  tag,
  summary: 'Have a copy of everything that is kept of the user made; once a day, and only they can ask for it',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  stepUp: true,
  params,
  responses: { 202: dataExportSchema },
  errors: ['user_not_found', 'access_denied'],
})
export const openDataExport = defineRoute({
  method: 'POST',
  path: '/users/:id/exports/:exportId/link',
  tag,
  summary: 'An address from which this copy can be fetched, once, within ten minutes',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  stepUp: true,
  params: params.extend({ exportId: idSchema }),
  responses: { 200: z.object({ path: z.string() }) },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
