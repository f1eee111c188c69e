/** Ports of a server beside the game's own. The gateway leads what arrives there into the server's walls. */
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import { type ClusterPort, mostPorts, type PortLimits } from '@wakestone/contract/servers/ports'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { findCluster, requireAllWays } from '#src/features/servers/clusters/service.ts'
import { findServer, hasOwnNetwork, lockServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>

const daySeconds = 86_400
const restSeconds = daySeconds

const quotaOf = ({ limits }: Pick<ServerRow, 'limits'>) =>
  Math.min(mostPorts, (limits as Product['parameters']).ports ?? 0)

export async function describePortLimits({ db, settings }: Deps, server: ServerRow): Promise<PortLimits> {
  const limit = quotaOf(server)
  const { left, nextAt } = await roomOfDay(db, settings, server.id)
  return {
    limit: settings.EXTRA_PORTS_PER_DAY,
    availability: left,
    next_available_at: nextAt?.toISOString() ?? null,
    quota: { limit, available: Math.max(0, limit - server.ports.length) },
  }
}

async function roomOfDay(db: Handle, { EXTRA_PORTS_PER_DAY }: Context['settings'], serverId: string) {
  const takings = await repo.selectTakings(db, serverId)
  const left = Math.max(0, EXTRA_PORTS_PER_DAY - takings.length)
  const oldest = takings.at(-EXTRA_PORTS_PER_DAY)
  return { left, nextAt: left > 0 || !oldest ? null : new Date(oldest.getTime() + daySeconds * 1000) }
}

/**
 * Takes a port; with `insteadOf`, in exchange for one that the server has.
 * @throws DomainError `too_many_ports`, `too_many_requests`, `resource_not_found` for one that it does not have,
 * `resource_already_exists` for a name that another has, `cluster_does_not_support_module`, `service_unavailable` when all
 * are taken
 */
export function acquirePort(
  { db, settings }: Deps,
  { serverId, userId }: { serverId: string; userId: string },
  { name, instead_of: insteadOf }: { name: string; instead_of?: number | undefined },
): Promise<ClusterPort> {
  return inTransaction(db, async (trx) => {
    await lockServer(trx, serverId)
    const server = await findServer(trx, serverId)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    // Without walls around its network it listens where the gateway does.
    if (server.game_host !== null && !hasOwnNetwork(server))
      throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
    const cluster = await findCluster(trx, server.cluster_id)
    if (cluster !== undefined) requireAllWays(cluster)
    const others = server.ports.filter(({ port }) => port !== insteadOf)
    if (insteadOf !== undefined && others.length === server.ports.length) throw new DomainError('resource_not_found')
    const limit = quotaOf(server)
    if (others.length >= limit) throw new DomainError('too_many_ports', { limit })
    if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw new DomainError('resource_already_exists', { resource: 'name' })
    const { left, nextAt } = await roomOfDay(trx, settings, serverId)
    if (left === 0)
      throw new DomainError('too_many_requests', {
        resource: 'server',
        retry_after: Math.max(1, Math.ceil(((nextAt?.getTime() ?? 0) - Date.now()) / 1000)),
      })
    if (insteadOf !== undefined) await repo.releasePort(trx, { serverId, port: insteadOf })
    const { cluster_id: clusterId } = server
    const range = settings.EXTRA_PORTS
    const taken = await repo.takePort(trx, { clusterId, serverId, userId, name, range, restSeconds })
    if (taken === undefined) throw new DomainError('service_unavailable', { reason: 'no free port' })
    await repo.noteTaking(trx, serverId)
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_PORT_CHANGE',
      data: { executor: userId, port_name: name, old_port: insteadOf ?? null, new_port: taken.port },
    })
    return {
      port: taken.port,
      target_port: taken.port,
      type: 'proxy',
      name,
      cluster_id: clusterId,
      service_id: server.service_id,
      created_by: userId,
      updated_at: taken.updated_at.toISOString(),
    }
  })
}

/** @throws DomainError `resource_not_found` */
export function releasePort(
  { db }: Pick<Context, 'db'>,
  { serverId, userId }: { serverId: string; userId: string },
  port: number,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockServer(trx, serverId)
    const released = await repo.releasePort(trx, { serverId, port })
    if (released === undefined) throw new DomainError('resource_not_found')
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_PORT_CHANGE',
      data: { executor: userId, port_name: released.name, old_port: port, new_port: null },
    })
  })
}
