import { z } from 'zod'
import { consentSchema, giveConsentBody } from './consent.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const params = z.object({ id: idSchema })

export const listConsents = defineRoute({
  method: 'GET',
  path: '/users/:id/consents',
  tag: 'Users',
  summary: 'What the user agreed to, newest first, with versions, times and ways',
  access: { kind: 'self', param: 'id' },
  params,
  responses: { 200: z.array(consentSchema) },
  errors: ['user_not_found'],
})
export const giveConsent = defineRoute({
  method: 'POST',
  path: '/users/:id/consents',
  tag: 'Users',
  summary: 'Agree to the version of a document that is in force, or note a choice of cookies; only the user can',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params,
  body: giveConsentBody,
  responses: { 201: null },
  errors: ['user_not_found', 'access_denied', 'resource_not_found'],
})
