import { z } from 'zod'
import type { TransportSpec } from '../transport.ts'
import { inboundMailSchema } from './support.ts'

export const ticketAttachment = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/support/attachments/:id',
  tag: 'Support',
  summary: 'Download a message attachment. Open to the ticket’s author and to support.',
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
  summary: 'Stream the ids of tickets that change, as server-sent events: the caller’s own, or all of them for support',
  access: { kind: 'user' },
  type: 'text/event-stream',
  errors: [],
} as const satisfies TransportSpec

export const inboundMail = {
  kind: 'bytes',
  method: 'POST',
  path: '/internal/mail/inbound',
  tag: 'Support',
  summary: 'Receive one complete e-mail to support from the operator’s mail server',
  access: { kind: 'mail' },
  type: 'application/json',
  takes: 'message/rfc822',
  answer: inboundMailSchema,
  errors: ['unauthorized', 'request_too_large', 'too_many_requests'],
} as const satisfies TransportSpec
