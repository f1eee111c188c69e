/** What people write to support with: tickets, and reviews of the product. */
import { z } from 'zod'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { emailSchema } from '../validation.ts'
import {
  reviewAdvantages,
  reviewAges,
  reviewCauses,
  reviewCommentLimit,
  reviewRates,
  ticketLimits,
  ticketStatuses,
  ticketTopics,
} from '../values.ts'

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
  /** People do not see this field. A ticket that fills it is thrown away. */
  website: z.string().max(500).default(''),
})

export const ticketSchema = z.object({
  /** What people call it by. */
  number: z.int(),
  status: z.enum(ticketStatuses),
})

export const listedTicketSchema = ticketSchema.extend({
  id: idSchema,
  topic: z.enum(ticketTopics),
  subject: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
})

export const ticketFieldOptionsSchema = z.object({
  topics: z.array(z.enum(ticketTopics)),
  statuses: z.array(z.enum(ticketStatuses)),
})

export const createReviewBody = z.object({
  rate: z.int().min(reviewRates.min, 'rate').max(reviewRates.max, 'rate'),
  causes: z.array(z.enum(reviewCauses)).max(reviewCauses.length).default([]),
  advantages: z.array(z.enum(reviewAdvantages)).max(reviewAdvantages.length).default([]),
  comment: z.string().trim().max(reviewCommentLimit, 'comment').optional(),
  age: z.enum(reviewAges).optional(),
  /** The server that the review was written beside. */
  server_id: idSchema.optional(),
  /** Language of the panel, where it is not the account's. */
  language: languageSchema.optional(),
})
