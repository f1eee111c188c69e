import { z } from 'zod'
import { craftumSchema } from '../sales/craftum.ts'
import { auditEventListSchema, eventQuery } from '../ground/event.ts'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { serverSchema } from '../servers/server.ts'
import { confirmEmailBody, locationInfoSchema, loginBody, registerBody, userSchema } from './user.ts'
import { usernameSchema } from '../validation.ts'
import { walletSchema } from '../money/wallet.ts'

const userParams = z.object({ id: idSchema })
const tag = 'Users'

export const register = defineRoute({
  method: 'POST',
  path: '/users',
  tag,
  summary: 'Register an account, log in and send the confirmation e-mail',
  access: { kind: 'public' },
  body: registerBody,
  responses: { 200: userSchema },
  errors: ['resource_already_exists', 'user_has_to_accept_terms'],
})
export const loginLocal = defineRoute({
  method: 'POST',
  path: '/users/login/local',
  tag,
  summary: 'Log in with a password',
  access: { kind: 'public' },
  body: loginBody,
  responses: { 200: userSchema },
  errors: ['second_factor_required', 'wrong_password_or_username'],
})
export const verify = defineRoute({
  method: 'GET',
  path: '/users/verify',
  tag,
  summary: 'Get the logged-in user. With `simple=1`, wallets and services are left out.',
  access: { kind: 'user' },
  keyScope: 'user.read',
  query: z.object({ simple: z.literal('1').optional() }),
  responses: { 200: userSchema },
  errors: [],
})
export const refresh = defineRoute({
  method: 'GET',
  path: '/users/refresh',
  tag,
  summary: 'Renew the session with the refresh cookie',
  access: { kind: 'public' },
  responses: { 200: userSchema },
  errors: ['unauthorized'],
})
export const logout = defineRoute({
  method: 'POST',
  path: '/users/logout',
  tag,
  summary: 'End this session',
  access: { kind: 'public' },
  viewAs: true,
  responses: { 204: null },
  errors: [],
})
export const confirmEmail = defineRoute({
  method: 'POST',
  path: '/users/email/confirm',
  tag,
  summary: 'Confirm an e-mail address with the code from the confirmation link',
  access: { kind: 'public' },
  body: confirmEmailBody,
  responses: { 201: null },
  errors: ['no_code', 'user_code_expired', 'email_already_verified'],
})
export const resendEmail = defineRoute({
  method: 'POST',
  path: '/users/email/resend',
  tag,
  summary: 'Send the confirmation e-mail again',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 200: null },
  errors: ['email_already_sent', 'email_already_verified'],
})
export const checkUsername = defineRoute({
  method: 'GET',
  path: '/users/username/:name',
  tag,
  summary: 'Check whether a user name is available. 204 means it is.',
  access: { kind: 'public' },
  params: z.object({ name: usernameSchema }),
  responses: { 204: null },
  errors: ['resource_already_exists'],
})
export const locationInfo = defineRoute({
  method: 'GET',
  path: '/users/location_info',
  tag,
  summary: 'Get the visitor’s country, VAT rate and currency',
  access: { kind: 'public' },
  responses: { 200: locationInfoSchema },
  errors: [],
})
export const getUser = defineRoute({
  method: 'GET',
  path: '/users/:id',
  tag,
  summary: 'Get a user',
  access: { kind: 'self', param: 'id' },
  keyScope: 'user.read',
  params: userParams,
  responses: { 200: userSchema },
  errors: ['user_not_found'],
})
export const listUserServers = defineRoute({
  method: 'GET',
  path: '/users/:id/servers',
  tag,
  summary: 'List the servers that the user owns or has access to',
  access: { kind: 'self', param: 'id' },
  keyScope: 'server.manage.read',
  params: userParams,
  responses: { 200: z.array(serverSchema) },
  errors: ['user_not_found'],
})
export const listUserWallets = defineRoute({
  method: 'GET',
  path: '/users/:id/wallets',
  tag,
  summary: 'List the user’s wallets',
  access: { kind: 'self', param: 'id' },
  keyScope: 'user.read',
  params: userParams,
  responses: { 200: z.array(walletSchema) },
  errors: ['user_not_found'],
})
export const listUserCraftums = defineRoute({
  method: 'GET',
  path: '/users/:id/craftums',
  tag,
  summary: 'List the websites that the user rents',
  access: { kind: 'self', param: 'id' },
  params: userParams,
  responses: { 200: z.array(craftumSchema) },
  errors: ['user_not_found'],
})
export const listUserEvents = defineRoute({
  method: 'GET',
  path: '/users/:id/events',
  tag,
  summary: 'List the user’s audit events, newest first',
  access: { kind: 'self', param: 'id' },
  keyScope: 'user.read',
  params: userParams,
  query: z.object(eventQuery.shape),
  responses: { 200: auditEventListSchema },
  errors: ['user_not_found'],
})
