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
  summary: 'Get whether a place for a free server is available now, and how many users are waiting',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: freeAvailabilitySchema },
  errors: [],
})
export const joinFreeQueue = defineRoute({
  method: 'POST',
  path: '/users/queue/free_servers',
  tag,
  summary: 'Join the queue for a free server. If a place is available, it is offered at once.',
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
  summary: 'Get the caller’s position in the queue, and how long their free server may run',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: [],
})
export const leaveFreeQueue = defineRoute({
  method: 'DELETE',
  path: '/users/queue/free_servers',
  tag,
  summary: 'Leave the queue, or decline an offered place',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
export const confirmFreePlace = defineRoute({
  method: 'POST',
  path: '/users/queue/free_servers/confirm',
  tag,
  summary:
    'Accept an offered place. The caller’s free server starts; without one, the place is held until they rent one.',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: ['free_place_not_offered', 'server_id_not_found', ...cannotStart],
})
export const getFreeSession = defineRoute({
  method: 'GET',
  path: '/servers/:id/free-play',
  tag,
  summary: 'Get how long a free server may run, and whether its owner is waiting for a place',
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
  summary: 'Extend the session of a running free server by one hour',
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
  summary: 'Spend an hour earned by invitations to run the caller’s free server one hour longer today',
  access: { kind: 'user' },
  responses: { 200: freePlaySchema },
  errors: ['not_enough_referral_hours', 'product_not_available', 'idempotency_key_reused'],
})
