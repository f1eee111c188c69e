/** Signed messages to programs about what happens. No key may call these: a key could have itself told of everything. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  changeEventWebhookBody,
  createEventWebhookBody,
  eventWebhookSchema,
  replayFailedBody,
  webhookDeliveryQuery,
  webhookDeliverySchema,
} from './webhooks.ts'

const tag = 'Webhooks'
const access = { kind: 'self', param: 'id' } as const
const params = z.object({ id: idSchema })
const one = params.extend({ webhookId: idSchema })

export const listEventWebhooks = defineRoute({
  method: 'GET',
  path: '/users/:id/webhooks',
  tag,
  summary: 'Added: addresses that are told of events',
  access,
  params,
  responses: { 200: z.array(eventWebhookSchema) },
  errors: ['user_not_found', 'access_denied'],
})
export const createEventWebhook = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks',
  tag,
  summary: 'Added: have an address told of events; it is sent a ping at once. `all` takes the capability `admin`',
  access,
  stepUp: true,
  params,
  body: createEventWebhookBody,
  responses: { 201: eventWebhookSchema },
  errors: [
    'user_not_found',
    'access_denied',
    'insufficient_capabilities',
    'resource_already_exists',
    'too_many_requests',
    'invalid_request',
  ],
})
export const changeEventWebhook = defineRoute({
  method: 'PATCH',
  path: '/users/:id/webhooks/:webhookId',
  tag,
  summary: 'Added: change an address or what it is told, pause it, or let it go on',
  access,
  params: one,
  body: changeEventWebhookBody,
  responses: { 200: eventWebhookSchema },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'resource_already_exists', 'invalid_request'],
})
export const renewWebhookSecret = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/secret',
  tag,
  summary: 'Added: a new secret; messages carry signatures by the old one as well for 24 hours',
  access,
  stepUp: true,
  params: one,
  responses: { 200: eventWebhookSchema },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
export const deleteEventWebhook = defineRoute({
  method: 'DELETE',
  path: '/users/:id/webhooks/:webhookId',
  tag,
  summary: 'Added: tell an address no more',
  access,
  params: one,
  responses: { 204: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
export const pingEventWebhook = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/ping',
  tag,
  summary: 'Added: send an address a message to try it',
  access,
  params: one,
  responses: { 202: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/users/:id/webhooks/:webhookId/deliveries',
  tag,
  summary: 'Added: messages of the last 30 days and what became of them, newest first',
  access,
  params: one,
  query: webhookDeliveryQuery,
  responses: { 200: z.array(webhookDeliverySchema) },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
export const replayDelivery = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/deliveries/:deliveryId/replay',
  tag,
  summary: 'Added: send a message again, with the id that it had',
  access,
  params: one.extend({ deliveryId: idSchema }),
  responses: { 202: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
export const replayFailedDeliveries = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/replay',
  tag,
  summary: 'Added: send every message again that has failed since a time',
  access,
  params: one,
  body: replayFailedBody,
  responses: { 202: z.object({ count: z.int() }) },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
