import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  createReviewBody,
  createTicketBody,
  listedTicketSchema,
  ticketFieldOptionsSchema,
  ticketSchema,
} from './support.ts'

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
export const listUserTickets = defineRoute({
  method: 'GET',
  path: '/users/:id/tickets',
  tag: 'Users',
  summary: 'Tickets of the user, newest first, 100 at most',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(listedTicketSchema) },
  errors: ['user_not_found'],
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
export const createReview = defineRoute({
  method: 'POST',
  path: '/support/reviews',
  tag,
  summary: 'Rate the product, with what is good and what is not',
  access: { kind: 'user' },
  body: createReviewBody,
  responses: { 204: null },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
