/** What people write to support with, and what is shown of it: to them, and to those who answer. */
import { z } from 'zod'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { panelStates } from '../states.ts'
import { emailSchema } from '../validation.ts'
import { ticketLimits, ticketListStates, ticketSatisfactions, ticketStatuses, ticketTopics } from '../values.ts'
import { ticketActions } from './ticket-states.ts'

/** Names of the files that come with a form, in their order; what they are is seen by their content. */
const fileNames = z.array(z.string().trim().min(1).max(120)).max(ticketLimits.files).default([])
const written = z.string().trim().min(1, 'ticket_message')

export const createTicketBody = z.object({
  topic: z.enum(ticketTopics, 'required'),
  subject: z
    .string()
    .trim()
    .min(ticketLimits.subject.min, 'ticket_subject')
    .max(ticketLimits.subject.max, 'ticket_subject')
    .regex(/^\P{Cc}*$/u, 'ticket_subject'),
  message: z
    .string()
    .trim()
    .min(ticketLimits.message.min, 'ticket_message')
    .max(ticketLimits.message.max, 'ticket_message'),
  /** Where to answer; needed from visitors. Users are answered at their account's address. */
  email: emailSchema.optional(),
  language: languageSchema.default('en'),
  /** The server that it is about, which its writer may see: what it does, and its last lines, go along. */
  server_id: idSchema.optional(),
  file_names: fileNames,
  /** People do not see this field. A ticket that fills it is thrown away. */
  website: z.string().max(500).default(''),
})

export const ticketSchema = z.object({
  /** What people call it by. */
  number: z.int(),
  status: z.enum(ticketStatuses),
  /** Null for visitors, who read the answers in their mail. */
  id: idSchema.nullable(),
  /** By when the writer is to have an answer; null while they wait for none. */
  answer_due_at: timeSchema.nullable(),
})

export const listedTicketSchema = ticketSchema.extend({
  id: idSchema,
  topic: z.enum(ticketTopics),
  subject: z.string(),
  server: z.object({ id: idSchema, name: z.string() }).nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
})
export type ListedTicket = z.infer<typeof listedTicketSchema>

export const listTicketsQuery = z.object({ state: z.enum(ticketListStates).optional() })

/** A server as it was when it was written about. Its lines hold no secrets and no addresses. */
export const ticketContextSchema = z.object({
  server_id: idSchema,
  name: z.string(),
  product: z.string(),
  engine: z.string(),
  engine_version: z.string(),
  state: z.enum(panelStates),
  crash: z
    .object({
      at: timeSchema,
      tag: z.string(),
      exit: z.object({ code: z.int().nullable(), signal: z.string().nullable() }),
    })
    .nullable(),
  /** Oldest first. */
  lines: z.array(z.string()),
  /** Where they are from; null: there were none. */
  lines_from: z.enum(['console', 'crash']).nullable(),
  taken_at: timeSchema,
})
export type TicketContext = z.infer<typeof ticketContextSchema>

export const ticketAttachmentSchema = z.object({
  id: idSchema,
  name: z.string(),
  kind: z.enum(['picture', 'text']),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
})
export type TicketAttachment = z.infer<typeof ticketAttachmentSchema>

export const ticketMessageSchema = z.object({
  id: idSchema,
  author: z.enum(['writer', 'staff']),
  /** Of the account that wrote it; null for visitors, and for accounts that are gone. */
  name: z.string().nullable(),
  via: z.enum(['panel', 'mail']),
  body: z.string(),
  attachments: z.array(ticketAttachmentSchema),
  /** Files of a mail that were too large, too many or of a kind that is not taken. */
  left_out: z.int(),
  created_at: timeSchema,
})

const satisfactionSchema = z.object({ rate: z.enum(ticketSatisfactions), comment: z.string() })
const otherTicket = z.object({ id: idSchema, number: z.int() }).nullable()

export const ticketThreadSchema = listedTicketSchema.extend({
  messages: z.array(ticketMessageSchema),
  context: ticketContextSchema.nullable(),
  satisfaction: satisfactionSchema.nullable(),
  /** The closed ticket that it goes on from. */
  follows: otherTicket,
})
export type TicketThread = z.infer<typeof ticketThreadSchema>

export const writeMessageBody = z.object({
  message: written.max(ticketLimits.message.max, 'ticket_message'),
  file_names: fileNames,
})
export const satisfactionBody = z.object({
  rate: z.enum(ticketSatisfactions, 'required'),
  comment: z.string().trim().max(2000, 'comment').default(''),
})

export const ticketFieldOptionsSchema = z.object({
  topics: z.array(z.enum(ticketTopics)),
  statuses: z.array(z.enum(ticketStatuses)),
})

/** Where somebody goes for help: a desk of the operator's elsewhere, signed in by `token`, or our own pages. */
export const supportDoorSchema = z.object({
  url: z.string(),
  /** A JWT to be posted there as `jwt`, good for three minutes; null for our own pages. */
  token: z.string().nullable(),
})

/* What those who answer see and do. */

const person = z.object({ id: idSchema, username: z.string() })

export const deskTicketSchema = listedTicketSchema.extend({
  /** Null: a visitor, whose address nobody has checked. */
  user: person.nullable(),
  email: z.string(),
  language: languageSchema,
  assignee: person.nullable(),
  /** Since when the writer waits for an answer; null: they do not. */
  waiting_since: timeSchema.nullable(),
  satisfaction: satisfactionSchema.nullable(),
})
export type DeskTicket = z.infer<typeof deskTicketSchema>

export const deskMessageSchema = ticketMessageSchema.extend({
  /** Seen by support alone. */
  is_note: z.boolean(),
  /** Of a mail that came from another address than the ticket's. */
  sender: z.string().nullable(),
})
export type DeskMessage = z.infer<typeof deskMessageSchema>

export const deskThreadSchema = deskTicketSchema.extend({
  messages: z.array(deskMessageSchema),
  context: ticketContextSchema.nullable(),
  follows: otherTicket,
  /** Who may be assigned. */
  agents: z.array(person),
})
export type DeskThread = z.infer<typeof deskThreadSchema>

export const deskStates = [...ticketListStates, 'solved', 'closed', 'all'] as const
export const answerClocks = ['overdue', 'soon'] as const
export const deskQuery = z.object({
  /** Missing: what is not over. */
  state: z.enum(deskStates).optional(),
  topic: z.enum(ticketTopics).optional(),
  /** `me`, `nobody`, or an id. */
  assignee: z.union([z.enum(['me', 'nobody']), idSchema]).optional(),
  /** By how long the writer has waited. */
  clock: z.enum(answerClocks).optional(),
  /** A number, or a part of a subject, an address or a user's name. */
  q: z.string().trim().max(100).optional(),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(25),
})
export const deskListSchema = z.object({
  data: z.array(deskTicketSchema),
  count: z.int(),
  /** Of all, whatever the filter. */
  overdue: z.int(),
  /** Hours within which an answer is due. */
  answer_hours: z.int(),
})

export const answerTicketBody = z.object({
  message: written.max(ticketLimits.answer, 'ticket_message'),
  /** What becomes of it with the answer. */
  status: z.enum(['PENDING', 'SOLVED']).default('PENDING'),
  file_names: fileNames,
})
export const noteBody = z.object({ message: written.max(ticketLimits.answer, 'ticket_message') })
export const changeTicketBody = z
  .object({
    assignee_id: idSchema.nullable().optional(),
    topic: z.enum(ticketTopics).optional(),
    action: z.enum(ticketActions).exclude(['answer', 'write']).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'required')

const macroText = z.string().trim().max(ticketLimits.answer)
export const macroBody = z.object({
  name: z.string().trim().min(1, 'required').max(80),
  /** In the languages of tickets; `{name}` and `{number}` are put in. */
  texts: z
    .object({ en: macroText, pl: macroText, de: macroText })
    .refine((texts) => Object.values(texts).some((text) => text !== ''), { message: 'required', path: ['en'] }),
  status: z.enum(['PENDING', 'SOLVED']),
})
export const macroSchema = macroBody.extend({ id: idSchema })
export type Macro = z.infer<typeof macroSchema>

/** A mail that was taken in, or was not. */
export const inboundMailSchema = z.object({
  outcome: z.enum(['opened', 'added', 'noted', 'ignored']),
  reason: z.enum(['automatic', 'bounce', 'list', 'own', 'repeated', 'unreadable', 'no_sender', 'empty']).nullable(),
  number: z.int().nullable(),
})
