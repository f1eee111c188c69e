/**
 * Invitations to share a server. One by name belongs to that account; one by address to whichever account has proved
 * that address, now or once it is registered. Nothing that is answered here depends on whether an address has an account.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Invitation as ShownInvitation, SentInvitation } from '@wakestone/contract/accounts/sharing'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import type { Principal } from '#src/http/principal.ts'
import { invitationOf, isCodeOf } from './codes.ts'
import { sendInvitationJob } from './invitation-mail.ts'
import { mayGrant } from './policy.ts'
import {
  type Answer,
  answerInvitation,
  countInvitationsSince,
  dropLateInvitations,
  findInvitation,
  findPerson,
  findPersonByName,
  findRights,
  grantOnServer,
  insertInvitation,
  type Invitation,
  lockPerson,
  lockServer,
  selectInvitationsFor,
  selectServerPeople,
  selectWaitingInvitations,
} from './repo.ts'
import { type Call, describeSent, inSharing, mayWithdraw } from './service.ts'

const dayMilliseconds = 24 * 3600_000
const validDays = 7
/** Late ones are kept so long for the limit of a day, then forgotten. */
const keptDays = 30

/** What may be read of an address in the events of a server, which all who read it see. */
const maskAddress = (email: string) => email.replace(/^(.).*(?=@)/, '$1***')
/** As the events of a server tell of somebody who has not answered. */
const invitedIn = ({ email, user_id }: Pick<Invitation, 'email' | 'user_id'>) => ({
  ...(email !== null && { address: maskAddress(email) }),
  ...(user_id !== null && { person: user_id }),
})

/**
 * Invites somebody and has the mail sent.
 * @throws DomainError `user_not_found` for an unknown name, `invalid_request` for who needs no invitation,
 *   `too_many_people_on_server`, `too_many_requests`, `insufficient_capabilities`, `email_not_verified`.
 */
export async function invite(
  context: Context,
  call: Call,
  { to, capabilities, ip }: { to: string; capabilities: readonly string[]; ip: string },
): Promise<SentInvitation> {
  const { user, server } = call
  const { settings } = context
  if (!user.emailVerified) throw new DomainError('email_not_verified')
  const email = to.includes('@') ? to.toLowerCase() : null
  await requireWithinLimit(context, 'mail', { ip, ...(email !== null && { email }) })
  await dropLateInvitations(context.db, new Date(Date.now() - keptDays * dayMilliseconds))
  return inSharing(context, call, async (trx, { grant, sharers }) => {
    grant(capabilities)
    const invited = email === null ? await requireInvitable(trx, call, to) : undefined
    const self = await lockPerson(trx, user.userId)
    if (email !== null && self?.email.toLowerCase() === email)
      throw new DomainError('invalid_request', { to: 'invitee_self' })
    const waiting = await selectWaitingInvitations(trx, server.id)
    if (waiting.some((one) => (email === null ? one.user_id === invited?.id : one.email === email)))
      throw new DomainError('invalid_request', { to: 'invitee_waiting' })
    const people = await selectServerPeople(trx, server.id)
    if (people.length + waiting.length >= settings.SHARED_PEOPLE)
      throw new DomainError('too_many_people_on_server', { resource: 'server', limit: settings.SHARED_PEOPLE })
    const sentToday = await countInvitationsSince(trx, user.userId, new Date(Date.now() - dayMilliseconds))
    if (settings.LIMIT_INVITATIONS > 0 && sentToday >= settings.LIMIT_INVITATIONS)
      throw new DomainError('too_many_requests', { resource: 'invitation', limit: settings.LIMIT_INVITATIONS })

    const { id } = await insertInvitation(trx, {
      serverId: server.id,
      invitedBy: user.userId,
      capabilities,
      language: user.language,
      expiresAt: new Date(Date.now() + validDays * dayMilliseconds),
      ...(email === null ? { userId: invited?.id ?? '', email } : { userId: null, email }),
    })
    const made = await findInvitation(trx, id)
    const [sharer] = sharers
    if (made === undefined || sharer === undefined) throw new Error('an invitation vanished')
    await enqueue(context.boss, trx, sendInvitationJob, { invitationId: id })
    await recordServerEvent(trx, server.id, {
      action: 'SERVER_SHARE_INVITE',
      data: { executor: user.userId, ...invitedIn(made), capabilities: [...capabilities] },
    })
    return describeSent(made, sharer)
  })
}

/** The account behind a name. Names are no secret: registering tells whether one is free. */
async function requireInvitable(trx: Transaction, { user, server }: Call, username: string) {
  const person = await findPersonByName(trx, username)
  if (person === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  if (person.id === user.userId) throw new DomainError('invalid_request', { to: 'invitee_self' })
  const isThere = person.id === server.owner_id || (await selectServerPeople(trx, server.id, person.id)).length > 0
  if (isThere) throw new DomainError('invalid_request', { to: 'invitee_has_access' })
  return person
}

/** @throws DomainError `invitation_not_found` when this server has none of that id that waits. */
export async function withdraw(context: Pick<Context, 'db'>, call: Call, invitationId: string): Promise<void> {
  await inSharing(context, call, async (trx, { sharers }) => {
    const invitation = await findInvitation(trx, invitationId)
    if (invitation?.server_id !== call.server.id) throw notFound()
    if (!sharers.every((sharer) => mayWithdraw(sharer, invitation)))
      throw new DomainError('insufficient_capabilities', { resource: 'server' })
    if (!(await answerInvitation(trx, { id: invitation.id, answer: 'withdrawn', userId: undefined }))) throw notFound()
    await recordServerEvent(trx, call.server.id, {
      action: 'SERVER_SHARE_WITHDRAW',
      data: { executor: call.user.userId, ...invitedIn(invitation) },
    })
  })
}

const notFound = () => new DomainError('invitation_not_found', { resource: 'invitation' })

/** Invitations that wait for a user. */
export async function listInvitationsOf({ db }: Pick<Context, 'db'>, userId: string): Promise<ShownInvitation[]> {
  return (await selectInvitationsFor(db, userId)).map(describeInvitation)
}

function describeInvitation(invitation: Invitation): ShownInvitation {
  return {
    id: invitation.id,
    server_name: invitation.serverName,
    invited_by: invitation.inviterName,
    capabilities: invitation.capabilities,
    expires_at: invitation.expires_at.toISOString(),
  }
}

/**
 * Answers an invitation that waits for a user.
 * @returns the server.
 * @throws DomainError `invitation_not_found` also when it is another account's, was answered, withdrawn, or is late.
 */
export async function answer(
  { db }: Pick<Context, 'db'>,
  { userId, invitationId, as }: { userId: string; invitationId: string; as: 'accepted' | 'declined' },
): Promise<{ server_id: string }> {
  const serverId = await inTransaction(db, async (trx) => {
    const mine = (await selectInvitationsFor(trx, userId)).find(({ id }) => id === invitationId)
    return mine === undefined ? undefined : settle(trx, mine, { userId, as })
  })
  if (serverId === undefined) throw notFound()
  return { server_id: serverId }
}

/**
 * Writes an answer down and grants what was offered, if who offered it still may.
 * @returns the server; undefined when it is too late.
 */
async function settle(
  trx: Transaction,
  { id, server_id: serverId, invited_by, email, user_id, capabilities }: Invitation,
  { userId, as }: { userId: string | undefined; as: 'accepted' | 'declined' },
): Promise<string | undefined> {
  const server = await lockServer(trx, serverId)
  if (server === undefined) return undefined
  const rights = await findRights(trx, { userId: invited_by, serverId })
  const inviter = { userId: invited_by, ownerId: server.owner_id, rights }
  const stands = capabilities.every((name) => mayGrant(inviter, name))
  const said: Answer = stands ? as : 'withdrawn'
  if (!(await answerInvitation(trx, { id, answer: said, userId }))) return undefined
  if (!stands) return undefined
  if (as === 'accepted' && userId !== undefined) await grantOnServer(trx, { userId, serverId, capabilities })
  const person = userId === undefined ? undefined : await findPerson(trx, userId)
  const eventId = await recordServerEvent(trx, serverId, {
    action: as === 'accepted' ? 'SERVER_SHARE_ACCEPT' : 'SERVER_SHARE_DECLINE',
    data:
      as === 'accepted'
        ? { executor: userId, person: userId, capabilities }
        : // Whose an address is stays unknown to those who read the server.
          invitedIn({ email, user_id }),
  })
  if (as === 'accepted') {
    const resource = { type: 'server', id: serverId } as const
    const fields = { server: server.name, guest: person?.username ?? '' }
    for (const reader of new Set([server.owner_id, invited_by]))
      await notify(trx, { userId: reader, kind: 'SERVER_GUEST_JOINED', fields, resource, eventId })
  }
  return serverId
}

/** @throws DomainError `no_code` for a forged one, `user_code_expired` for one that is spent, withdrawn or late. */
async function requireLink(context: Pick<Context, 'secrets'>, trx: Transaction, code: string): Promise<Invitation> {
  const id = invitationOf(code)
  const invitation = id === undefined ? undefined : await findInvitation(trx, id)
  if (invitation === undefined) throw new DomainError('no_code')
  if (invitation.answered_at !== null || invitation.expires_at.getTime() < Date.now())
    throw new DomainError('user_code_expired')
  const address = invitation.email ?? invitation.invitedEmail ?? ''
  if (isCodeOf(context, code, { id: invitation.id, address })) return invitation
  // An account that was invited by name may have another address by now.
  throw new DomainError(invitation.email === null ? 'user_code_expired' : 'no_code')
}

/** Whether an account is the one that a mailed invitation is for: the code proves the address, the account must have it. */
async function isFor(trx: Transaction, invitation: Invitation, userId: string): Promise<boolean> {
  if (userId === invitation.ownerId) return false
  if (invitation.user_id !== null) return invitation.user_id === userId
  const person = await findPerson(trx, userId)
  return person?.email.toLowerCase() === invitation.email
}

export function readLink(context: Pick<Context, 'db' | 'secrets'>, code: string, user: Principal | undefined) {
  return inTransaction(context.db, async (trx) => {
    const invitation = await requireLink(context, trx, code)
    return {
      invitation: describeInvitation(invitation),
      is_for_caller: user === undefined ? null : await isFor(trx, invitation, user.userId),
    }
  })
}

/** @throws DomainError as `requireLink`, and `invitation_for_another_account`. */
export async function acceptLink(
  context: Pick<Context, 'db' | 'secrets'>,
  code: string,
  { userId }: Principal,
): Promise<{ server_id: string }> {
  const serverId = await inTransaction(context.db, async (trx) => {
    const invitation = await requireLink(context, trx, code)
    if (!(await isFor(trx, invitation, userId))) throw new DomainError('invitation_for_another_account')
    return settle(trx, invitation, { userId, as: 'accepted' })
  })
  if (serverId === undefined) throw new DomainError('user_code_expired')
  return { server_id: serverId }
}

/** Whoever has the mail may decline: its link goes to the invited address alone. */
export async function declineLink(context: Pick<Context, 'db' | 'secrets'>, code: string): Promise<void> {
  const serverId = await inTransaction(context.db, async (trx) => {
    const invitation = await requireLink(context, trx, code)
    return settle(trx, invitation, { userId: invitation.user_id ?? undefined, as: 'declined' })
  })
  if (serverId === undefined) throw new DomainError('user_code_expired')
}
