import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { freeAvailabilitySchema, freePlaySchema } from './free-play.ts'

const tag = 'Free servers'
const params = z.object({ id: idSchema })
const cannotStart = [
  'server_is_expired',
  'server_is_disabled',
  'server_is_preparing',
  'free_servers_not_available',
  'free_hours_used_up',
  'too_many_requests',
] as const

export const getFreeAvailability = defineRoute({
  method: 'GET',
  path: '/billings/products/free/availability',
  tag,
  summary: 'Whether there is a place for a free server now, and how many wait for one',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: freeAvailabilitySchema },
  errors: [],
})
export const joinFreeQueue = defineRoute({
  method: 'POST',
  path: '/users/queue/free_servers',
  tag,
  summary: 'Wait for a place for a free server; a free one is offered at once',
  access: { kind: 'user' },
  query: z.object({
    /** Where, of somebody who has no free server yet. */
    cluster_id: z.string().min(1).max(64).default('local'),
  }),
  responses: { 201: null },
  errors: ['user_already_in_queue', 'user_already_has_free_server', 'email_not_verified', 'cluster_not_found'],
})
export const getFreePlay = defineRoute({
  method: 'GET',
  path: '/users/queue/free_servers',
  tag,
  summary: 'Where one stands in the queue, and how long one’s free server may be up',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: [],
})
export const leaveFreeQueue = defineRoute({
  method: 'DELETE',
  path: '/users/queue/free_servers',
  tag,
  summary: 'Wait no longer, or let an offered place go',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
export const confirmFreePlace = defineRoute({
  method: 'POST',
  path: '/users/queue/free_servers/confirm',
  tag,
  summary: 'Take the offered place: the server starts, or the place is kept until one is rented',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: ['free_place_not_offered', 'server_id_not_found', ...cannotStart],
})
export const getFreeSession = defineRoute({
  method: 'GET',
  path: '/servers/:id/free-play',
  tag,
  summary: 'How long a free server may be up, and whether its owner waits for a place',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params,
  responses: { 200: freePlaySchema },
  errors: ['server_id_not_found', 'insufficient_capabilities', 'product_not_available'],
})
export const extendFreeSession = defineRoute({
  method: 'POST',
  path: '/servers/:id/free-play/extend',
  tag,
  summary: 'One hour more for a free server that is up',
  access: { kind: 'server', param: 'id', capability: 'server.manage.power' },
  keyScope: 'access',
  params,
  responses: { 200: freePlaySchema },
  errors: [
    'server_id_not_found',
    'insufficient_capabilities',
    'free_session_not_extendable',
    'free_hours_used_up',
    'too_many_requests',
  ],
})
export const takeBonusHour = defineRoute({
  method: 'POST',
  path: '/users/queue/free_servers/bonus-hour',
  tag,
  summary: 'Let one’s free server be up an hour more today, for an hour from invitations',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: ['not_enough_referral_hours', 'product_not_available', 'idempotency_key_reused'],
})
