/** Personal API keys. No key may call any of these: a key that makes keys could not be revoked. */
import { z } from 'zod'
import { apiKeySchema, changeApiKeyBody, createApiKeyBody, newApiKeySchema } from './api-key.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'API keys'
const access = { kind: 'self', param: 'id' } as const
const params = z.object({ id: idSchema })
const keyParams = z.object({ id: idSchema, keyId: idSchema })

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/users/:id/api-keys',
  tag,
  summary: 'List the user’s API keys, newest first',
  access,
  params,
  responses: { 200: z.array(apiKeySchema) },
  errors: ['user_not_found'],
})
export const createApiKey = defineRoute({
  method: 'POST',
  path: '/users/:id/api-keys',
  tag,
  summary: 'Create an API key. It is shown in this response only. Administrators cannot create one for a user.',
  access,
  stepUp: true,
  params,
  body: createApiKeyBody,
  responses: { 201: newApiKeySchema },
  errors: ['user_not_found', 'access_denied', 'insufficient_capabilities'],
})
export const changeApiKey = defineRoute({
  method: 'PATCH',
  path: '/users/:id/api-keys/:keyId',
  tag,
  summary: 'Rename an API key, or change where it can be used from. Administrators cannot do this for a user.',
  access,
  params: keyParams,
  body: changeApiKeyBody,
  responses: { 200: apiKeySchema },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/users/:id/api-keys/:keyId',
  tag,
  summary: 'Revoke an API key. Its open connections close at once.',
  access,
  beforeTerms: true,
  params: keyParams,
  responses: { 204: null },
  errors: ['user_not_found', 'resource_not_found'],
})
