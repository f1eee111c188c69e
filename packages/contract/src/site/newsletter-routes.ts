import { z } from 'zod'
import { newsletterCodeBody, setNewsletterBody, subscribeBody } from './newsletter.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'Newsletter'

export const subscribe = defineRoute({
  method: 'POST',
  path: '/newsletter',
  tag,
  summary: 'Ask for the newsletter; a mail asks to confirm. The answer does not tell whether the address is known',
  access: { kind: 'public' },
  body: subscribeBody,
  responses: { 202: null },
  errors: [],
})
export const confirmSubscription = defineRoute({
  method: 'POST',
  path: '/newsletter/confirm',
  tag,
  summary: 'Confirm with the code of the mailed link, which works once and for two days',
  access: { kind: 'public' },
  body: newsletterCodeBody,
  responses: { 201: null },
  errors: ['no_code', 'user_code_expired', 'email_already_verified'],
})
export const unsubscribe = defineRoute({
  method: 'POST',
  path: '/newsletter/unsubscribe',
  tag,
  summary: 'End the newsletter with the code that every mail carries; again is no error',
  access: { kind: 'public' },
  body: newsletterCodeBody,
  responses: { 204: null },
  errors: ['no_code'],
})
export const setUserNewsletter = defineRoute({
  method: 'PUT',
  path: '/users/:id/newsletter',
  tag,
  summary: 'Whether a user wants the newsletter; only they can agree to it',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema }),
  body: setNewsletterBody,
  responses: { 201: null },
  errors: ['user_not_found', 'access_denied'],
})
