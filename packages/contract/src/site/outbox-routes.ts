import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Administration'

const summary = z.object({ name: z.string(), written_at: timeSchema, to: z.string(), subject: z.string() })

export const listOutbox = defineRoute({
  method: 'GET',
  path: '/admin/outbox',
  tag,
  summary: 'List e-mails written to the outbox because no mail server is set, newest first',
  access,
  responses: { 200: z.array(summary) },
  errors: ['insufficient_capabilities'],
})
export const getOutboxMail = defineRoute({
  method: 'GET',
  path: '/admin/outbox/:name',
  tag,
  summary: 'Get an e-mail from the outbox: its plain text, and the complete message as it would have been sent',
  access,
  params: z.object({ name: z.string().regex(/^[\w-]+(\.[\w-]+)*\.eml$/) }),
  responses: { 200: summary.extend({ text: z.string(), raw: z.string() }) },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
