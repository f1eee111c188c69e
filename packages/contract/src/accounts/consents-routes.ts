import { z } from 'zod'
import { consentSchema, giveConsentBody } from './consent.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ id: idSchema })

export const listConsents = defineRoute({
  method: 'GET',
  path: '/users/:id/consents',
  tag: 'Users',
  summary: 'List the user’s consents with version, time and manner, newest first',
  access: { kind: 'self', param: 'id' },
  params,
  responses: { 200: z.array(consentSchema) },
  errors: ['user_not_found'],
})
export const giveConsent = defineRoute({
  method: 'POST',
  path: '/users/:id/consents',
  tag: 'Users',
  summary:
    'Accept the current version of a document, or record a cookie choice. Administrators cannot do this for a user.',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params,
  body: giveConsentBody,
  responses: { 201: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
