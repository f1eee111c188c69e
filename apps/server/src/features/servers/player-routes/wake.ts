/** A player knocks at a sleeping server. */
import { DomainError } from '@wakestone/contract/errors'
import { refusalAtDoor } from '@wakestone/protocol/door'
import type { Context } from '#src/context.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { wakeServer } from '#src/features/servers/servers/service.ts'
import { selectSeen } from './repo.ts'

/**
 * Wakes the server unless its game would turn the player away. Gateways ask the same before; here it counts.
 * @throws DomainError `access_denied`, `too_many_requests`, and whatever speaks against a wake.
 */
export async function knock(
  context: Pick<Context, 'db' | 'boss' | 'settings'>,
  { serverId, name, address }: { serverId: string; name: string | null; address: string },
): Promise<{ expectedSeconds: number | null }> {
  const seen = (await selectSeen(context.db, [serverId])).get(serverId)
  const reason = refusalAtDoor(seen?.door ?? null, { name, address })
  if (reason) throw new DomainError('access_denied', { reason })
  await requireWithinLimit(context, 'wake', { ip: address, serverId })
  return wakeServer(context, serverId, { because: 'player', address, ...(name !== null && { name }) })
}
