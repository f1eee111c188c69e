import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Administration'

export const listOutbox = defineRoute({
  method: 'GET',
  path: '/admin/outbox',
  tag,
  summary: 'Mails written to the outbox because no mail server is set, newest first',
  access,
  responses: { 200: z.array(z.object({ name: z.string(), written_at: timeSchema, size: z.int() })) },
  errors: ['insufficient_capabilities'],
})
export const getOutboxMail = defineRoute({
  method: 'GET',
  path: '/admin/outbox/:name',
  tag,
  summary: 'One mail of the outbox as it would have been sent',
  access,
  params: z.object({ name: z.string().regex(/^[\w-]+(\.[\w-]+)*\.eml$/) }),
  responses: { 200: z.object({ name: z.string(), raw: z.string() }) },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
