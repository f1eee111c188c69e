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
  summary: 'List the user’s webhooks',
  access,
  params,
  responses: { 200: z.array(eventWebhookSchema) },
  errors: ['user_not_found', 'access_denied'],
})
export const createEventWebhook = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks',
  tag,
  summary: 'Create a webhook for events. It is pinged at once. The scope `all` needs the capability `admin`.',
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
  summary: 'Update a webhook’s URL or events, or pause or resume it',
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
  summary: 'Rotate a webhook’s signing secret. Messages are also signed with the old one for 24 hours.',
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
  summary: 'Delete a webhook',
  access,
  params: one,
  responses: { 204: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
export const pingEventWebhook = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/ping',
  tag,
  summary: 'Send a test message to a webhook',
  access,
  params: one,
  responses: { 202: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/users/:id/webhooks/:webhookId/deliveries',
  tag,
  summary:
    'List the stored deliveries of a webhook and their outcomes, newest first. They are kept for 30 days by default.',
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
  summary: 'Redeliver a message under its original id',
  access,
  params: one.extend({ deliveryId: idSchema }),
  responses: { 202: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
export const replayFailedDeliveries = defineRoute({
  method: 'POST',
  path: '/users/:id/webhooks/:webhookId/replay',
  tag,
  summary: 'Redeliver every message that has failed since a given time',
  access,
  params: one,
  body: replayFailedBody,
  responses: { 202: z.object({ count: z.int() }) },
  errors: ['user_not_found', 'access_denied', 'resource_not_found', 'too_many_requests'],
})
