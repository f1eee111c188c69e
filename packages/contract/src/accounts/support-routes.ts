import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { ticketLimits } from '../values.ts'
import {
  answerTicketBody,
  changeTicketBody,
  createTicketBody,
  deskListSchema,
  deskQuery,
  deskThreadSchema,
  listedTicketSchema,
  listTicketsQuery,
  macroBody,
  macroSchema,
  noteBody,
  satisfactionBody,
  supportDoorSchema,
  ticketFieldOptionsSchema,
  ticketSchema,
  ticketThreadSchema,
  writeMessageBody,
} from './support.ts'

const tag = 'Support'
const params = z.object({ id: idSchema })
const deskParams = z.object({ ticketId: idSchema })
const own = { kind: 'ticket', param: 'id' } as const
const desk = { kind: 'capability', capability: 'admin.support' } as const
const files = {
  takesFiles: true,
  fileLimits: { files: ticketLimits.files, bytes: ticketLimits.pictureBytes },
} as const
const refused = ['file_is_too_large', 'invalid_file'] as const

export const createTicket = defineRoute({
  method: 'POST',
  path: '/support/ticket',
  tag,
  summary:
    'Create a support ticket as a user, or as a visitor with an e-mail address. Users can attach files by sending a form.',
  access: { kind: 'public' },
  ...files,
  body: createTicketBody,
  responses: { 201: ticketSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities', ...refused],
})
export const listUserTickets = defineRoute({
  method: 'GET',
  path: '/users/:id/tickets',
  tag: 'Users',
  summary: 'List the user’s tickets, newest first (at most 100)',
  access: { kind: 'self', param: 'id' },
  params,
  query: listTicketsQuery,
  responses: { 200: z.array(listedTicketSchema) },
  errors: ['user_not_found'],
})
export const getTicketFieldOptions = defineRoute({
  method: 'GET',
  path: '/support/ticket_field_options',
  tag,
  summary: 'List the topics and statuses of tickets',
  access: { kind: 'public' },
  responses: { 200: ticketFieldOptionsSchema },
  errors: [],
})
export const openSupport = defineRoute({
  method: 'GET',
  path: '/support/sso',
  tag,
  summary:
    'Get where to send the user for help: the operator’s external help desk with a login token, or the panel’s support pages',
  access: { kind: 'user' },
  responses: { 200: supportDoorSchema },
  errors: [],
})
export const getTicket = defineRoute({
  method: 'GET',
  path: '/support/tickets/:id',
  tag,
  summary: 'Get one of the caller’s tickets with all its messages',
  access: own,
  params,
  responses: { 200: ticketThreadSchema },
  errors: ['ticket_not_found'],
})
export const writeTicketMessage = defineRoute({
  method: 'POST',
  path: '/support/tickets/:id/messages',
  tag,
  summary: 'Add a message to a ticket. A solved ticket is reopened.',
  access: own,
  ...files,
  params,
  body: writeMessageBody,
  responses: { 201: ticketThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that', ...refused],
})
export const solveTicket = defineRoute({
  method: 'POST',
  path: '/support/tickets/:id/solve',
  tag,
  summary: 'Mark a ticket as solved',
  access: own,
  params,
  responses: { 200: ticketThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that'],
})
export const rateTicket = defineRoute({
  method: 'POST',
  path: '/support/tickets/:id/satisfaction',
  tag,
  summary: 'Rate the support given on a solved ticket',
  access: own,
  params,
  body: satisfactionBody,
  responses: { 200: ticketThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that'],
})

export const listDeskTickets = defineRoute({
  method: 'GET',
  path: '/admin/tickets',
  tag,
  summary: 'List all tickets, longest wait for an answer first',
  access: desk,
  query: deskQuery,
  responses: { 200: deskListSchema },
  errors: [],
})
export const getDeskTicket = defineRoute({
  method: 'GET',
  path: '/admin/tickets/:ticketId',
  tag,
  summary: 'Get a ticket with all its messages and internal notes',
  access: desk,
  params: deskParams,
  responses: { 200: deskThreadSchema },
  errors: ['ticket_not_found'],
})
export const answerTicket = defineRoute({
  method: 'POST',
  path: '/admin/tickets/:ticketId/answers',
  tag,
  summary: 'Answer a ticket in the panel and by e-mail',
  access: desk,
  ...files,
  params: deskParams,
  body: answerTicketBody,
  responses: { 201: deskThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that', ...refused],
})
export const noteOnTicket = defineRoute({
  method: 'POST',
  path: '/admin/tickets/:ticketId/notes',
  tag,
  summary: 'Add an internal note to a ticket, visible to support only',
  access: desk,
  params: deskParams,
  body: noteBody,
  responses: { 201: deskThreadSchema },
  errors: ['ticket_not_found'],
})
export const changeTicket = defineRoute({
  method: 'PATCH',
  path: '/admin/tickets/:ticketId',
  tag,
  summary: 'Update a ticket’s assignee, topic or status',
  access: desk,
  params: deskParams,
  body: changeTicketBody,
  responses: { 200: deskThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that', 'user_not_found'],
})
export const listMacros = defineRoute({
  method: 'GET',
  path: '/admin/ticket-macros',
  tag,
  summary: 'List the saved replies',
  access: desk,
  responses: { 200: z.array(macroSchema) },
  errors: [],
})
export const createMacro = defineRoute({
  method: 'POST',
  path: '/admin/ticket-macros',
  tag,
  summary: 'Create a saved reply',
  access: desk,
  body: macroBody,
  responses: { 201: macroSchema },
  errors: ['resource_already_exists', 'too_many_requests'],
})
export const changeMacro = defineRoute({
  method: 'PUT',
  path: '/admin/ticket-macros/:id',
  tag,
  summary: 'Update a saved reply',
  access: desk,
  params,
  body: macroBody,
  responses: { 200: macroSchema },
  errors: ['resource_not_found', 'resource_already_exists'],
})
export const deleteMacro = defineRoute({
  method: 'DELETE',
  path: '/admin/ticket-macros/:id',
  tag,
  summary: 'Delete a saved reply',
  access: desk,
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
