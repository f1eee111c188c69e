import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { differenceSchema, reconciliationSchema, reconciliationStates } from './reconciliation.ts'
import { csvFile, defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Reports'
const params = z.object({ id: idSchema })

export const listReconciliations = defineRoute({
  method: 'GET',
  path: '/admin/reconciliations',
  tag,
  summary: 'List the nightly reconciliations of payment providers with the ledger, newest first',
  access,
  keyScope: 'access',
  query: z.object({
    state: z.enum(reconciliationStates).optional(),
    gateway: z.string().max(20).optional(),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  responses: { 200: z.object({ data: z.array(reconciliationSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getReconciliation = defineRoute({
  method: 'GET',
  path: '/admin/reconciliations/:id',
  tag,
  summary: 'Get a reconciliation with its differences',
  access,
  keyScope: 'access',
  params,
  responses: { 200: reconciliationSchema.extend({ lines: z.array(differenceSchema) }) },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
export const exportReconciliation = defineRoute({
  ...csvFile,
  method: 'GET',
  path: '/admin/reconciliations/:id/lines.csv',
  tag,
  summary: 'Export the differences of a reconciliation as CSV, one per line',
  access,
  keyScope: 'access',
  params,
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
