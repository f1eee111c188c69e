import * as routes from '@wakestone/contract/accounts/sharing-routes'
import { type Api, implement } from '#src/http/implement.ts'
import * as invitations from './invitations.ts'
import { changeAccess, leaveServer, listAccess, revokeAccess } from './service.ts'

export function registerSharingRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getServerAccess, async (call) => listAccess(context, call))
  implement(api, routes.inviteToServer, async (call) =>
    invitations.invite(context, call, { ...call.body, ip: call.ip }),
  )
  implement(api, routes.withdrawInvitation, async (call) =>
    invitations.withdraw(context, call, call.params.invitationId),
  )
  implement(api, routes.changeServerAccess, async (call) =>
    changeAccess(context, call, { userId: call.params.userId, ...call.body }),
  )
  implement(api, routes.revokeServerAccess, async (call) => revokeAccess(context, call, call.params.userId))
  implement(api, routes.leaveServer, async (call) => leaveServer(context, call))

  implement(api, routes.listInvitations, async ({ params }) => invitations.listInvitationsOf(context, params.id))
  implement(api, routes.acceptInvitation, async ({ params: { id: userId, invitationId } }) =>
    invitations.answer(context, { userId, invitationId, as: 'accepted' }),
  )
  implement(api, routes.declineInvitation, async ({ params: { id: userId, invitationId } }) => {
    await invitations.answer(context, { userId, invitationId, as: 'declined' })
  })
  implement(api, routes.readInvitationLink, async ({ body, user }) => invitations.readLink(context, body.code, user))
  implement(api, routes.acceptInvitationLink, async ({ body, user }) =>
    invitations.acceptLink(context, body.code, user),
  )
  implement(api, routes.declineInvitationLink, async ({ body }) => invitations.declineLink(context, body.code))
}
