/**
 * Who may use a server besides its owner: the list, and changing, revoking and giving it up. What somebody has open
 * closes when their rights change: PostgreSQL tells on `access_changed`.
 */
import { DomainError } from '@wakestone/contract/errors'
import type {
  GrantableCapability,
  SentInvitation,
  ServerAccess,
  ServerPerson,
} from '@wakestone/contract/accounts/sharing'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { ServerResource } from '#src/features/servers/servers/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { asCapabilities, grantableBy, mayChange, mayGrant, mayShare, type Sharer } from './policy.ts'
import {
  answerInvitation,
  findPerson,
  findRights,
  grantOnServer,
  type Invitation,
  lockServer,
  type PersonRow,
  selectServerPeople,
  selectWaitingInvitations,
  takeFromServer,
} from './repo.ts'

/** Who asks, and the server as the check of their right has found it. */
export type Call = { user: Principal; server: ServerResource }

const sharerOf = ({ user, server }: Call): Sharer => ({
  userId: user.userId,
  ownerId: server.owner_id,
  rights: { product: user.capabilities, server: server.capabilities },
})

/** Who has access, in the eyes of somebody who may share the server. */
export async function listAccess(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  call: Call,
): Promise<ServerAccess> {
  const { id, owner_id } = call.server
  const sharer = sharerOf(call)
  const [owner, people, invitations] = await Promise.all([
    findPerson(db, owner_id),
    selectServerPeople(db, id),
    selectWaitingInvitations(db, id),
  ])
  return {
    owner: { user_id: owner_id, username: owner?.username ?? '' },
    people: people.map((person) => describePerson(person, id, sharer)),
    invitations: invitations.map((invitation) => describeSent(invitation, sharer)),
    limit: settings.SHARED_PEOPLE,
    grantable: grantableBy(sharer),
  }
}

function describePerson(person: PersonRow, serverId: string, sharer: Sharer): ServerPerson {
  return {
    user_id: person.user_id,
    username: person.username,
    resource_id: serverId,
    resource_type: 'server',
    capabilities: person.capabilities,
    invited_by: person.invited_by,
    since: person.since?.toISOString() ?? null,
    can_change: person.user_id !== sharer.userId && mayChange(sharer, person.capabilities),
  }
}

export function describeSent(invitation: Invitation, sharer: Sharer): SentInvitation {
  return {
    id: invitation.id,
    to: invitation.email ?? invitation.invitedName ?? '',
    capabilities: invitation.capabilities,
    invited_by: invitation.inviterName,
    created_at: invitation.created_at.toISOString(),
    expires_at: invitation.expires_at.toISOString(),
    can_change: mayWithdraw(sharer, invitation),
  }
}

export const mayWithdraw = (sharer: Sharer, invitation: Pick<Invitation, 'invited_by' | 'capabilities'>) =>
  invitation.invited_by === sharer.userId || mayChange(sharer, asCapabilities(invitation.capabilities))

/**
 * Does something to the sharing of a server while nobody else does. What the caller may is read anew under the lock,
 * and narrowed to what the call itself was allowed (a key may hold less than its owner).
 */
export function inSharing<Result>(
  { db }: Pick<Context, 'db'>,
  call: Call,
  work: (trx: Transaction, may: { grant: (names: readonly string[]) => void; sharers: Sharer[] }) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const server = await lockServer(trx, call.server.id)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    const { userId } = call.user
    const rights = await findRights(trx, { userId, serverId: server.id })
    const sharers = [sharerOf(call), { userId, ownerId: server.owner_id, rights }]
    if (!sharers.every(mayShare)) throw new DomainError('insufficient_capabilities', { resource: 'server' })
    const grant = (names: readonly string[]) => {
      if (!names.every((name) => sharers.every((sharer) => mayGrant(sharer, name))))
        throw new DomainError('insufficient_capabilities', { resource: 'server' })
    }
    return work(trx, { grant, sharers })
  })
}

/** The person a sharer wants to change. @throws DomainError `user_owns_server`, `user_not_found`, `insufficient_capabilities`. */
async function requireChangeable(trx: Transaction, call: Call, userId: string, sharers: Sharer[]): Promise<PersonRow> {
  if (userId === call.server.owner_id) throw new DomainError('user_owns_server', { resource: 'user' })
  const [person] = await selectServerPeople(trx, call.server.id, userId)
  if (person === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  if (userId === call.user.userId || !sharers.every((sharer) => mayChange(sharer, person.capabilities)))
    throw new DomainError('insufficient_capabilities', { resource: 'server' })
  return person
}

/** Somebody who holds less may not let in others with what they held. */
async function withdrawInvitationsBeyond(trx: Transaction, sharer: Sharer, serverId: string): Promise<void> {
  for (const invitation of await selectWaitingInvitations(trx, serverId)) {
    if (invitation.invited_by !== sharer.userId) continue
    if (invitation.capabilities.every((name) => mayGrant(sharer, name))) continue
    await answerInvitation(trx, { id: invitation.id, answer: 'withdrawn', userId: undefined })
  }
}

export async function changeAccess(
  context: Pick<Context, 'db'>,
  call: Call,
  { userId, capabilities }: { userId: string; capabilities: readonly string[] },
): Promise<ServerPerson> {
  const { id: serverId, owner_id: ownerId, name } = call.server
  return inSharing(context, call, async (trx, { grant, sharers }) => {
    const before = await requireChangeable(trx, call, userId, sharers)
    grant(capabilities)
    await takeFromServer(trx, { userId, serverId })
    await grantOnServer(trx, { userId, serverId, capabilities })
    const rights = await findRights(trx, { userId, serverId })
    await withdrawInvitationsBeyond(trx, { userId, ownerId, rights }, serverId)
    const eventId = await recordServerEvent(trx, serverId, {
      action: 'SERVER_SHARE_CHANGE',
      data: { executor: call.user.userId, person: userId, capabilities: [...capabilities] },
    })
    const resource = { type: 'server', id: serverId } as const
    await notify(trx, { userId, kind: 'SERVER_ACCESS_CHANGED', fields: { server: name }, resource, eventId })
    return describePerson({ ...before, capabilities: rights.server }, serverId, sharerOf(call))
  })
}

export async function revokeAccess(context: Pick<Context, 'db'>, call: Call, userId: string): Promise<void> {
  await inSharing(context, call, async (trx, { sharers }) => {
    await requireChangeable(trx, call, userId, sharers)
    const eventId = await removePerson(trx, call, { userId, action: 'SERVER_SHARE_REVOKE' })
    if (eventId === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    await notify(trx, { userId, kind: 'SERVER_ACCESS_REVOKED', fields: { server: call.server.name }, eventId })
  })
}

/** Shares a server as its owner had it shared elsewhere: nobody here has asked for it, and nobody is told. */
export async function shareAsBefore(
  trx: Transaction,
  {
    serverId,
    userId,
    capabilities,
  }: { serverId: string; userId: string; capabilities: readonly GrantableCapability[] },
): Promise<void> {
  await lockServer(trx, serverId)
  await grantOnServer(trx, { userId, serverId, capabilities })
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_SHARE_CHANGE',
    data: { person: userId, capabilities: [...capabilities] },
  })
}

/** Nothing happens where nothing was shared. @throws DomainError `user_owns_server`. */
export async function leaveServer({ db }: Pick<Context, 'db'>, call: Call): Promise<void> {
  const { userId, username } = call.user
  if (userId === call.server.owner_id) throw new DomainError('user_owns_server', { resource: 'user' })
  await inTransaction(db, async (trx) => {
    await lockServer(trx, call.server.id)
    const eventId = await removePerson(trx, call, { userId, action: 'SERVER_SHARE_LEAVE' })
    if (eventId === undefined) return
    const { id, name, owner_id } = call.server
    await notify(trx, {
      userId: owner_id,
      kind: 'SERVER_GUEST_LEFT',
      fields: { server: name, guest: username },
      resource: { type: 'server', id },
      eventId,
    })
  })
}

/** @returns id of the event; undefined when there was nothing to take. */
async function removePerson(
  trx: Transaction,
  { user, server: { id: serverId, owner_id: ownerId } }: Call,
  { userId, action }: { userId: string; action: 'SERVER_SHARE_REVOKE' | 'SERVER_SHARE_LEAVE' },
): Promise<string | undefined> {
  if (!(await takeFromServer(trx, { userId, serverId }))) return undefined
  await withdrawInvitationsBeyond(trx, { userId, ownerId, rights: { product: {}, server: {} } }, serverId)
  return recordServerEvent(trx, serverId, { action, data: { executor: user.userId, person: userId } })
}
