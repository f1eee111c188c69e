import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { projectKeySchema } from './schemas.ts'
import { webhookSchema } from './webhooks.ts'

const tag = 'Marketplace'
const params = z.object({ slug: projectKeySchema })
const one = params.extend({ webhookId: idSchema })
const manage = { kind: 'project', param: 'slug', right: 'manage' } as const
const scope = 'marketplace.project-manage.edit'

export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/webhooks',
  tag,
  summary: 'List a project’s webhooks with the outcome of their latest deliveries',
  access: manage,
  keyScope: scope,
  params,
  responses: { 200: z.array(webhookSchema) },
  errors: ['not_project_member', 'resource_not_found'],
})
export const createWebhook = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/webhooks',
  tag,
  summary: 'Create a webhook for a project’s releases. It is pinged at once.',
  access: manage,
  keyScope: scope,
  params,
  body: z.object({ url: z.string().trim().max(500) }),
  responses: { 201: webhookSchema },
  errors: [
    'not_project_member',
    'resource_not_found',
    'resource_already_exists',
    'too_many_requests',
    'invalid_request',
  ],
})
export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/webhooks/:webhookId',
  tag,
  summary: 'Delete a webhook',
  access: manage,
  keyScope: scope,
  params: one,
  responses: { 204: null },
  errors: ['not_project_member', 'resource_not_found'],
})
export const pingWebhook = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/webhooks/:webhookId/ping',
  tag,
  summary: 'Send a test message to a webhook',
  access: manage,
  keyScope: scope,
  params: one,
  responses: { 202: webhookSchema },
  errors: ['not_project_member', 'resource_not_found', 'too_many_requests'],
})
