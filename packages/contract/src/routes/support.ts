import { defineRoute } from '../route.ts'
import { createTicketBody, ticketFieldOptionsSchema, ticketSchema } from '../support.ts'

const tag = 'Support'

export const createTicket = defineRoute({
  method: 'POST',
  path: '/support/ticket',
  tag,
  summary: 'Write to support, as a user or as a visitor with an e-mail address',
  access: { kind: 'public' },
  body: createTicketBody,
  responses: { 201: ticketSchema },
  errors: [],
})
export const getTicketFieldOptions = defineRoute({
  method: 'GET',
  path: '/support/ticket_field_options',
  tag,
  summary: 'Topics and states of tickets',
  access: { kind: 'public' },
  responses: { 200: ticketFieldOptionsSchema },
  errors: [],
})
