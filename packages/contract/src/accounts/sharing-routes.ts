/** Sharing a server, as its owner sees it and as those who are invited do. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  acceptedInvitationSchema,
  changeAccessBody,
  invitationCodeBody,
  invitationLinkSchema,
  invitationSchema,
  inviteBody,
  sentInvitationSchema,
  serverAccessSchema,
  serverPersonSchema,
} from './sharing.ts'

const tag = 'Sharing'
const share = { kind: 'server', param: 'id', capability: 'server.share' } as const
const refused = ['server_id_not_found', 'insufficient_capabilities'] as const
const person = z.object({ id: idSchema, userId: idSchema })
const sent = z.object({ id: idSchema, invitationId: idSchema })
const self = { kind: 'self', param: 'id' } as const

export const getServerAccess = defineRoute({
  method: 'GET',
  path: '/servers/:id/access',
  tag,
  summary: 'List the people with access to a server and its pending invitations',
  access: share,
  params: z.object({ id: idSchema }),
  responses: { 200: serverAccessSchema },
  errors: refused,
})
export const inviteToServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/invitations',
  tag,
  summary:
    'Invite someone to a server by e-mail address or user name. The response does not reveal whether an address has an account.',
  access: share,
  stepUp: true,
  params: z.object({ id: idSchema }),
  body: inviteBody,
  responses: { 201: sentInvitationSchema },
  errors: [...refused, 'user_not_found', 'too_many_people_on_server', 'email_not_verified'],
})
export const withdrawInvitation = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/invitations/:invitationId',
  tag,
  summary: 'Withdraw a pending invitation',
  access: share,
  beforeTerms: true,
  params: sent,
  responses: { 204: null },
  errors: [...refused, 'invitation_not_found'],
})
export const changeServerAccess = defineRoute({
  method: 'PUT',
  path: '/servers/:id/access/:userId',
  tag,
  summary: 'Change a user’s permissions on a server',
  access: share,
  params: person,
  body: changeAccessBody,
  responses: { 200: serverPersonSchema },
  errors: [...refused, 'user_not_found', 'user_owns_server'],
})
export const revokeServerAccess = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/access/:userId',
  tag,
  summary: 'Revoke a user’s access to a server. Their open connections close at once.',
  access: share,
  beforeTerms: true,
  params: person,
  responses: { 204: null },
  errors: [...refused, 'user_not_found', 'user_owns_server'],
})
export const leaveServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/leave',
  tag,
  summary: 'Give up the caller’s access to a server owned by someone else',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  beforeTerms: true,
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: [...refused, 'user_owns_server'],
})

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/users/:id/invitations',
  tag,
  summary: 'List the user’s pending invitations',
  access: self,
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(invitationSchema) },
  errors: ['user_not_found'],
})
export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/users/:id/invitations/:invitationId/accept',
  tag,
  summary: 'Accept an invitation',
  access: self,
  params: sent,
  responses: { 200: acceptedInvitationSchema },
  errors: ['user_not_found', 'invitation_not_found'],
})
export const declineInvitation = defineRoute({
  method: 'POST',
  path: '/users/:id/invitations/:invitationId/decline',
  tag,
  summary: 'Decline an invitation',
  access: self,
  beforeTerms: true,
  params: sent,
  responses: { 204: null },
  errors: ['user_not_found', 'invitation_not_found'],
})
export const readInvitationLink = defineRoute({
  method: 'POST',
  path: '/invitations/read',
  tag,
  summary: 'Get the invitation behind a code sent by e-mail. The code is not used up.',
  access: { kind: 'public' },
  body: invitationCodeBody,
  responses: { 200: invitationLinkSchema },
  errors: ['no_code', 'user_code_expired'],
})
export const acceptInvitationLink = defineRoute({
  method: 'POST',
  path: '/invitations/accept',
  tag,
  summary:
    'Accept an invitation with the code sent by e-mail. The account must have the address that the e-mail was sent to.',
  access: { kind: 'user' },
  body: invitationCodeBody,
  responses: { 200: acceptedInvitationSchema },
  errors: ['no_code', 'user_code_expired', 'invitation_for_another_account'],
})
export const declineInvitationLink = defineRoute({
  method: 'POST',
  path: '/invitations/decline',
  tag,
  summary: 'Decline an invitation with the code sent by e-mail. No account is needed.',
  access: { kind: 'public' },
  body: invitationCodeBody,
  responses: { 204: null },
  errors: ['no_code', 'user_code_expired'],
})
