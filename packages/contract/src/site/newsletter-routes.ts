import { z } from 'zod'
import { newsletterCodeBody, setNewsletterBody, subscribeBody } from './newsletter.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'Newsletter'

export const subscribe = defineRoute({
  method: 'POST',
  path: '/newsletter',
  tag,
  summary:
    'Subscribe to the newsletter. A confirmation e-mail is sent. The response does not reveal whether the address is known.',
  access: { kind: 'public' },
  body: subscribeBody,
  responses: { 202: null },
  errors: [],
})
export const confirmSubscription = defineRoute({
  method: 'POST',
  path: '/newsletter/confirm',
  tag,
  summary: 'Confirm a newsletter subscription with the code from the e-mail. It works once, for two days.',
  access: { kind: 'public' },
  body: newsletterCodeBody,
  responses: { 201: null },
  errors: ['no_code', 'user_code_expired', 'email_already_verified'],
})
export const unsubscribe = defineRoute({
  method: 'POST',
  path: '/newsletter/unsubscribe',
  tag,
  summary: 'Unsubscribe from the newsletter with the code in each e-mail. Repeating the call is not an error.',
  access: { kind: 'public' },
  body: newsletterCodeBody,
  responses: { 204: null },
  errors: ['no_code'],
})
export const setUserNewsletter = defineRoute({
  method: 'PUT',
  path: '/users/:id/newsletter',
  tag,
  summary: 'Set whether a user receives the newsletter. Administrators cannot subscribe a user.',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema }),
  body: setNewsletterBody,
  responses: { 201: null },
  errors: ['user_not_found', 'access_denied'],
})
