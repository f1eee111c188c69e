import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'
import { inboundMailSchema } from './support.ts'

export const ticketAttachment = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/support/attachments/:id',
  tag: 'Support',
  summary: 'A file that came with a message, for its ticket’s writer and for support',
  access: { kind: 'public' },
  params: z.object({ id: z.string().max(60) }),
  type: 'image/webp',
  errors: ['resource_not_found'],
} as const satisfies TransportSpec

export const ticketStream = {
  kind: 'stream',
  method: 'GET',
  path: '/api/v1/support/stream',
  tag: 'Support',
  summary: 'Ids of tickets as they change, as server-sent events: one’s own, for support all',
  access: { kind: 'user' },
  type: 'text/event-stream',
  errors: [],
} as const satisfies TransportSpec

export const inboundMail = {
  kind: 'bytes',
  method: 'POST',
  path: '/internal/mail/inbound',
  tag: 'Support',
  summary: 'Takes in one mail to support, whole, as the operator’s mail server has received it',
  access: { kind: 'mail' },
  type: 'application/json',
  takes: 'message/rfc822',
  answer: inboundMailSchema,
  errors: ['unauthorized', 'request_too_large', 'too_many_requests'],
} as const satisfies TransportSpec
