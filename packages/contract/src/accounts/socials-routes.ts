import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { beginDiscordQuery, discordResultSchema, finishDiscordBody } from './user.ts'

export const beginDiscord = defineRoute({
  method: 'GET',
  path: '/users/auth/discord/begin',
  tag: 'Users',
  summary: 'Redirect to Discord to log in or register',
  access: { kind: 'public' },
  query: beginDiscordQuery,
  responses: { 302: null },
  errors: ['resource_not_found'],
})
export const beginDiscordLink = defineRoute({
  method: 'POST',
  path: '/users/auth/discord/link',
  tag: 'Users',
  summary:
    'Get the Discord URL for linking the caller’s account. Discord returns the user to `complete`, as for logging in.',
  access: { kind: 'user' },
  stepUp: true,
  body: beginDiscordQuery,
  responses: { 200: z.object({ url: z.url() }) },
  errors: ['resource_not_found'],
})
export const finishDiscord = defineRoute({
  method: 'POST',
  path: '/users/auth/discord/complete',
  tag: 'Users',
  summary: 'Log in, register or link with the response from Discord. Works once, in the browser that started.',
  access: { kind: 'public' },
  body: finishDiscordBody,
  responses: { 200: discordResultSchema },
  errors: [
    'second_factor_required',
    'no_state',
    'no_code',
    'discord_user_email_not_verified',
    'discord_unavailable',
    'email_not_verified',
    'resource_already_exists',
    'resource_not_found',
    'user_has_to_accept_terms',
  ],
})
export const unlinkSocial = defineRoute({
  method: 'DELETE',
  path: '/socials/:id/unlink',
  tag: 'Socials',
  summary: 'Unlink an external account. Refused if it is the only way to log in.',
  access: { kind: 'social', param: 'id' },
  beforeTerms: true,
  stepUp: true,
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['resource_not_found', 'user_has_no_other_login'],
})
