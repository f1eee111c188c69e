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
  summary: 'Send a password reset link by e-mail. The response is the same whether or not the address has an account.',
  access: { kind: 'public' },
  body: beginPasswordResetBody,
  responses: { 200: null },
  errors: [],
})
export const finishPasswordReset = defineRoute({
  method: 'PUT',
  path: '/users/password/reset/confirm',
  tag,
  summary: 'Set a new password with the code from the reset link. All sessions of the account end.',
  access: { kind: 'public' },
  body: finishPasswordResetBody,
  responses: { 200: null },
  errors: ['no_code', 'user_code_expired'],
})
export const changePassword = defineRoute({
  method: 'PUT',
  path: '/users/password/change',
  tag,
  summary: 'Change the password. All other sessions end.',
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
  summary: 'Send a confirmation link to a new e-mail address. The address changes once the link is used.',
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
  summary: 'Change the user name. Allowed once every 30 days.',
  access: { kind: 'user' },
  body: changeUsernameBody,
  responses: { 200: userSchema },
  errors: ['resource_already_exists'],
})
export const setLocale = defineRoute({
  method: 'PUT',
  path: '/users/:id/locale',
  tag,
  summary: 'Set the user’s language and time zone for e-mails and messages',
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
  summary: 'Send an eight-digit code for logging in or registering. It only works in the browser that requested it.',
  access: { kind: 'public' },
  body: beginEmailLoginBody,
  responses: { 200: null },
  errors: ['email_already_sent'],
})
export const finishEmailLogin = defineRoute({
  method: 'POST',
  path: '/users/auth/email/complete',
  tag,
  summary: 'Log in or register with the code sent by e-mail. New accounts must accept the terms.',
  access: { kind: 'public' },
  body: finishEmailLoginBody,
  responses: { 200: emailLoginResultSchema },
  errors: ['second_factor_required', 'no_code', 'user_code_expired', 'user_has_to_accept_terms'],
})
export const resendDeletionCode = defineRoute({
  method: 'POST',
  path: '/users/delete/resend',
  tag,
  summary: 'Send a code that confirms the deletion of the account',
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
  summary: 'Schedule the account for deletion in 14 days',
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
  summary: 'Cancel the scheduled deletion of the account',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 200: userSchema },
  errors: [],
})
export const listSessions = defineRoute({
  method: 'GET',
  path: '/users/:id/sessions',
  tag,
  summary: 'List the devices where the user is logged in, most recent first',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(sessionSchema) },
  errors: ['user_not_found'],
})
export const endUserSession = defineRoute({
  method: 'DELETE',
  path: '/users/:id/sessions/:sessionId',
  tag,
  summary: 'Log a device out',
  access: { kind: 'self', param: 'id' },
  beforeTerms: true,
  params: z.object({ id: idSchema, sessionId: idSchema }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
