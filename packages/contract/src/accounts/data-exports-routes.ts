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
  summary: 'List exports of the user’s data, newest first',
  access: { kind: 'self', param: 'id' },
  params,
  responses: { 200: z.array(dataExportSchema) },
  errors: ['user_not_found'],
})
export const requestDataExport = defineRoute({
  method: 'POST',
  path: '/users/:id/exports',
  tag,
  summary: 'Request an export of all data stored about the user. Once a day; administrators cannot do this for a user.',
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
  summary: 'Get a download link for a data export. It works once, within ten minutes.',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  stepUp: true,
  params: params.extend({ exportId: idSchema }),
  responses: { 200: z.object({ path: z.string() }) },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
