/** An account's own affairs: password, address, name, codes by mail, sessions, deletion. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  beginEmailLoginBody,
  beginPasswordResetBody,
  changeEmailBody,
  changePasswordBody,
  changeUsernameBody,
  digitsSchema,
  emailLoginResultSchema,
  finishEmailLoginBody,
  finishPasswordResetBody,
  sessionSchema,
  setLocaleBody,
  userSchema,
} from './user.ts'

const tag = 'Users'

export const beginPasswordReset = defineRoute({
  method: 'POST',
  path: '/users/password/reset',
  tag,
  summary: 'Mail a link that sets a new password; the answer is the same whether or not the address has an account',
  access: { kind: 'public' },
  body: beginPasswordResetBody,
  responses: { 200: null },
  errors: [],
})
export const finishPasswordReset = defineRoute({
  method: 'PUT',
  path: '/users/password/reset/confirm',
  tag,
  summary: 'Set a new password with the code of the mailed link; every session ends',
  access: { kind: 'public' },
  body: finishPasswordResetBody,
  responses: { 200: null },
  errors: ['no_code', 'user_code_expired'],
})
export const changePassword = defineRoute({
  method: 'PUT',
  path: '/users/password/change',
  tag,
  summary: 'Change the password; all other sessions end',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: 'without-password',
  body: changePasswordBody,
  responses: { 200: null },
  errors: ['invalid_user_password'],
})
export const changeEmail = defineRoute({
  method: 'PUT',
  path: '/users/email/change',
  tag,
  summary: 'Mail a link to a new address; the address changes when the link is used',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: 'without-password',
  body: changeEmailBody,
  responses: { 200: null },
  errors: ['invalid_user_password', 'email_already_sent', 'resource_already_exists'],
})
export const changeUsername = defineRoute({
  method: 'POST',
  path: '/users/username',
  tag,
  summary: 'Choose another user name; once in 30 days',
  access: { kind: 'user' },
  body: changeUsernameBody,
  responses: { 200: userSchema },
  errors: ['resource_already_exists'],
})
export const setLocale = defineRoute({
  method: 'PUT',
  path: '/users/:id/locale',
  tag,
  summary: 'Choose the language of mails and messages, and the time zone that times in them are told by',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema }),
  body: setLocaleBody,
  responses: { 204: null },
  errors: ['user_not_found'],
})
export const beginEmailLogin = defineRoute({
  method: 'POST',
  path: '/users/auth/email/begin',
  tag,
  summary: 'Mail a code of eight digits that logs in or registers; it works in the browser that asked for it only',
  access: { kind: 'public' },
  body: beginEmailLoginBody,
  responses: { 200: null },
  errors: ['email_already_sent'],
})
export const finishEmailLogin = defineRoute({
  method: 'POST',
  path: '/users/auth/email/complete',
  tag,
  summary: 'Log in or register with the code; a new account needs the terms accepted',
  access: { kind: 'public' },
  body: finishEmailLoginBody,
  responses: { 200: emailLoginResultSchema },
  errors: ['second_factor_required', 'no_code', 'user_code_expired', 'user_has_to_accept_terms'],
})
export const resendDeletionCode = defineRoute({
  method: 'POST',
  path: '/users/delete/resend',
  tag,
  summary: 'Mail a code that confirms the deletion of the account',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  responses: { 201: null },
  errors: ['email_already_sent', 'user_has_active_services', 'user_already_scheduled_for_deletion'],
})
export const confirmDeletion = defineRoute({
  method: 'POST',
  path: '/users/delete/confirm',
  tag,
  summary: 'Have the account deleted after 14 days',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  query: z.object({ code: digitsSchema }),
  responses: { 200: userSchema },
  errors: ['no_code', 'user_code_expired', 'user_has_active_services', 'user_already_scheduled_for_deletion'],
})
export const cancelDeletion = defineRoute({
  method: 'POST',
  path: '/users/delete/cancel',
  tag,
  summary: 'Keep the account after all',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 200: userSchema },
  errors: [],
})
export const listSessions = defineRoute({
  method: 'GET',
  path: '/users/:id/sessions',
  tag,
  summary: 'Devices that are signed in, the latest first',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(sessionSchema) },
  errors: ['user_not_found'],
})
export const endUserSession = defineRoute({
  method: 'DELETE',
  path: '/users/:id/sessions/:sessionId',
  tag,
  summary: 'Sign a device out',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema, sessionId: idSchema }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
