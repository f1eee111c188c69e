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
  summary: 'Write to support, as a user or as a visitor with an e-mail address; files of users go along in a form',
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
  summary: 'Tickets of the user, newest first, 100 at most',
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
  summary: 'Topics and states of tickets',
  access: { kind: 'public' },
  responses: { 200: ticketFieldOptionsSchema },
  errors: [],
})
export const openSupport = defineRoute({
  method: 'GET',
  path: '/support/sso',
  tag,
  summary: 'Where to go for help: the operator’s desk elsewhere, with a sign-in for it, or the pages of the panel',
  access: { kind: 'user' },
  responses: { 200: supportDoorSchema },
  errors: [],
})
export const getTicket = defineRoute({
  method: 'GET',
  path: '/support/tickets/:id',
  tag,
  summary: 'One ticket of one’s own with all that was written',
  access: own,
  params,
  responses: { 200: ticketThreadSchema },
  errors: ['ticket_not_found'],
})
export const writeTicketMessage = defineRoute({
  method: 'POST',
  path: '/support/tickets/:id/messages',
  tag,
  summary: 'Write more in a ticket; one that was solved is open again',
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
  summary: 'Say that a ticket is done',
  access: own,
  params,
  responses: { 200: ticketThreadSchema },
  errors: ['ticket_not_found', 'ticket_cannot_do_that'],
})
export const rateTicket = defineRoute({
  method: 'POST',
  path: '/support/tickets/:id/satisfaction',
  tag,
  summary: 'Say how support was, once the ticket is solved',
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
  summary: 'Tickets of all, those whose writers have waited longest first',
  access: desk,
  query: deskQuery,
  responses: { 200: deskListSchema },
  errors: [],
})
export const getDeskTicket = defineRoute({
  method: 'GET',
  path: '/admin/tickets/:ticketId',
  tag,
  summary: 'One ticket with all that was written, notes too',
  access: desk,
  params: deskParams,
  responses: { 200: deskThreadSchema },
  errors: ['ticket_not_found'],
})
export const answerTicket = defineRoute({
  method: 'POST',
  path: '/admin/tickets/:ticketId/answers',
  tag,
  summary: 'Answer: in the panel and by mail',
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
  summary: 'Note something that only support sees',
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
  summary: 'Change who looks after a ticket, its topic, or what has become of it',
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
  summary: 'Answers that are written often',
  access: desk,
  responses: { 200: z.array(macroSchema) },
  errors: [],
})
export const createMacro = defineRoute({
  method: 'POST',
  path: '/admin/ticket-macros',
  tag,
  summary: 'Keep an answer that is written often',
  access: desk,
  body: macroBody,
  responses: { 201: macroSchema },
  errors: ['resource_already_exists', 'too_many_requests'],
})
export const changeMacro = defineRoute({
  method: 'PUT',
  path: '/admin/ticket-macros/:id',
  tag,
  summary: 'Change such an answer',
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
  summary: 'Forget such an answer',
  access: desk,
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
