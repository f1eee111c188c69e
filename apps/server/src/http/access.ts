/**
 * Who may call what. What a caller may not know of is answered as if it did not exist.
 */
import { canManageServersAsAdmin, hasCapability, isAdmin, restrictCapabilities } from '@wakestone/contract/capabilities'
import type { CapabilityName } from '@wakestone/contract/capability-names'
import { DomainError } from '@wakestone/contract/errors'
import type { Access } from '@wakestone/contract/route'
import type { Context } from '#src/context.ts'
import { findEventResource } from '#src/features/ground/events/service.ts'
import { findServerResource, type ServerResource } from '#src/features/servers/servers/service.ts'
import { requireProjectRight } from '#src/features/marketplace/projects/service.ts'
import type { OwnerChecks } from '#src/owner-check.ts'
import type { Principal } from './principal.ts'

type Deps = { context: Pick<Context, 'db'>; owners: OwnerChecks }

/**
 * The one place where a right is checked.
 * @returns the resource where the check has read it anyway.
 */
export async function checkAccess(
  { context, owners }: Deps,
  access: Access,
  user: Principal,
  params: Record<string, string> | undefined,
): Promise<ServerResource | undefined> {
  const id = 'param' in access ? (params?.[access.param] ?? '') : ''
  switch (access.kind) {
    case 'public':
    case 'user':
      return undefined
    case 'self':
      if (user.userId !== id && !isAdmin(user.capabilities))
        throw new DomainError('user_not_found', { resource: 'user' })
      return undefined
    case 'capability':
      if (!hasCapability(user.capabilities, access.capability)) throw new DomainError('insufficient_capabilities')
      return undefined
    case 'event':
      await checkEventAccess(context, user, id)
      return undefined
    case 'project':
      await requireProjectRight(context.db, user, { key: id, right: access.right })
      return undefined
    case 'server':
      return checkServerAccess(context, user, id, access.capability)
    default: {
      const { findOwner, notFound } = owners[access.kind]
      const owner = await findOwner(context.db, id)
      if (owner === undefined || (owner !== user.userId && !isAdmin(user.capabilities)))
        throw new DomainError(notFound.code, { resource: notFound.resource })
      return undefined
    }
  }
}

/** An event may be read by whoever may see the list that it is in; for others it does not exist. */
async function checkEventAccess(context: Deps['context'], user: Principal, id: string): Promise<void> {
  const resource = await findEventResource(context.db, id)
  if (resource?.type === 'user' && (resource.id === user.userId || isAdmin(user.capabilities))) return
  try {
    if (resource?.type === 'server') {
      await checkServerAccess(context, user, resource.id, 'server.manage.read')
      return
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
  throw new DomainError('resource_not_found')
}

/** Reads a server for a user who holds `capability` on it; sockets use it too. */
export async function checkServerAccess(
  context: Deps['context'],
  user: Pick<Principal, 'userId' | 'capabilities' | 'apiKey'>,
  serverId: string,
  capability: CapabilityName,
): Promise<ServerResource> {
  const found = await findServerResource(context.db, serverId, user.userId)
  if (found === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  const server =
    user.apiKey === undefined
      ? found
      : { ...found, capabilities: restrictCapabilities(found.capabilities, user.apiKey.scopes) }
  if (canManageServersAsAdmin(user.capabilities)) return server
  if (Object.keys(found.capabilities).length === 0) throw new DomainError('server_id_not_found', { resource: 'server' })
  if (!hasCapability(server.capabilities, capability))
    throw new DomainError('insufficient_capabilities', { resource: 'server' })
  return server
}
