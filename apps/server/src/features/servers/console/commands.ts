/** Lines that are typed into consoles, by whichever way they come. */
import { canUseConsole } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordEvent } from '#src/features/ground/events/service.ts'
import { checkServerAccess } from '#src/http/access.ts'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'

/** So many at once, then so many in a second: as many as a person could mean. */
export const commandsAtOnce = 20
export const commandsPerSecond = 10

/**
 * @param command one that has passed the schema
 * @throws DomainError also where who typed it has lost the right meanwhile; `server_is_not_running`
 */
export async function runCommand(api: Api, user: Principal, serverId: string, command: string): Promise<void> {
  const present = await api.principals.findAgain(user)
  if (present === undefined) throw new DomainError('unauthorized')
  const server = await checkServerAccess(api.context, present, serverId, 'server.manage.read')
  if (!canUseConsole(present.capabilities, server.capabilities)) throw new DomainError('insufficient_capabilities')
  try {
    const supervisor = await api.context.fleet.find(serverId)
    if (supervisor === undefined) throw new DomainError('server_is_not_running', { resource: 'server' })
    if (present.actor !== undefined) await recordCommand(api, serverId, present, command)
    await supervisor.command(command)
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error
    if (error.status === 409) throw new DomainError('server_is_not_running', { resource: 'server' })
    throw new DomainError('service_unavailable')
  }
}

/** What an administrator types while they see the panel as its user, the user can read. */
async function recordCommand({ context }: Api, serverId: string, user: Principal, command: string): Promise<void> {
  const { userId: user_id, username } = user.actor!
  await inTransaction(context.db, (trx) =>
    recordEvent(trx, {
      level: 20,
      resourceType: 'server',
      resourceId: serverId,
      action: 'SERVER_CONSOLE_COMMAND',
      success: true,
      data: { executor: user.userId, command, actor: { user_id, username } },
    }),
  )
}
