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
  summary: 'Who has access to a server, and which invitations wait',
  access: share,
  params: z.object({ id: idSchema }),
  responses: { 200: serverAccessSchema },
  errors: refused,
})
export const inviteToServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/invitations',
  tag,
  summary: 'Invite by e-mail address or user name; the answer does not tell whether an address has an account',
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
  summary: 'Withdraw an invitation that was not answered',
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
  summary: 'Change what somebody may do on a server',
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
  summary: 'Take somebody’s access away; what they have open closes at once',
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
  summary: 'Give up one’s own access to a server that somebody else owns',
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
  summary: 'Invitations that wait for the user’s answer',
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
  summary: 'What the code of a mailed invitation leads to; spends nothing',
  access: { kind: 'public' },
  body: invitationCodeBody,
  responses: { 200: invitationLinkSchema },
  errors: ['no_code', 'user_code_expired'],
})
export const acceptInvitationLink = defineRoute({
  method: 'POST',
  path: '/invitations/accept',
  tag,
  summary: 'Accept with the code of the mail: the account must have the address that the mail went to',
  access: { kind: 'user' },
  body: invitationCodeBody,
  responses: { 200: acceptedInvitationSchema },
  errors: ['no_code', 'user_code_expired', 'invitation_for_another_account'],
})
export const declineInvitationLink = defineRoute({
  method: 'POST',
  path: '/invitations/decline',
  tag,
  summary: 'Decline with the code of the mail; needs no account',
  access: { kind: 'public' },
  body: invitationCodeBody,
  responses: { 204: null },
  errors: ['no_code', 'user_code_expired'],
})
