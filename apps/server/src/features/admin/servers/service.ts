/** Servers as administrators see them, and the switches that only they have. */
import type { z } from 'zod'
import type {
  AdminServer,
  adminServerSchema,
  changeAdminServerBody,
  listAdminServersQuery,
} from '@wakestone/contract/admin/servers'
import { type ServerFlag, serverFlags, type standstills } from '@wakestone/contract/admin/servers'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Server } from '@wakestone/contract/servers/server'
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { selectClusters } from '#src/features/servers/clusters/service.ts'
import {
  describeServer,
  findServer,
  isExpired,
  listServers,
  lockServer,
  requestReconcile,
  type ServerRow,
  writeFlags,
} from '#src/features/servers/servers/service.ts'
import { findLook, selectServerIds } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>
type Page = { after?: string | undefined; limit: number }

export async function listAllServers(
  deps: Deps,
  { cluster_id, flag, q, ...page }: Page & z.output<typeof listAdminServersQuery>,
): Promise<{ data: Server[]; count: number }> {
  const { ids, count } = await selectServerIds(deps.db, {
    ...page,
    clusterId: cluster_id,
    flag,
    text: q?.toLowerCase(),
  })
  return { data: await listServers(deps, ids), count }
}

/** @throws DomainError `server_id_not_found` */
export async function showAdminServer({ db, settings }: Deps, serverId: string): Promise<AdminServer> {
  const server = await requireServer(db, serverId)
  const [clusters, look] = await Promise.all([selectClusters(db), findLook(db, serverId)])
  const cluster = clusters.find(({ id }) => id === server.cluster_id)
  const iso = (time: Date | null | undefined) => time?.toISOString() ?? null
  return {
    server: describeServer({ ...server, capabilities: {} }, settings),
    flags: flagsOf(server),
    standstills: standstillsOf(server),
    placement: {
      cluster: {
        id: server.cluster_id,
        name: cluster?.name ?? server.cluster_id,
        disabled: cluster?.disabled ?? false,
        draining: cluster?.draining ?? false,
      },
      host: server.game_host,
      port: server.game_port,
      placed_at: iso(server.placed_at),
      phase: server.phase,
      phase_since: iso(server.phase_since),
      want_running: server.want_running,
      hold: server.hold,
      retry_at: iso(server.retry_at),
      next_look_at: iso(look?.next_look_at),
      unreached_since: iso(look?.lost_since ?? look?.unreached_since),
      disk_bytes: server.disk_bytes,
      has_elsewhere: clusters.some(({ id, disabled }) => id !== server.cluster_id && !disabled),
    },
    limits: {
      plan: (server.limits_plan ?? server.limits) as Limits['plan'],
      set: server.limits_set as Limits['set'],
      placed: server.placed_limits as Limits['placed'],
    },
  }
}
type Limits = z.input<typeof adminServerSchema>['limits']

/**
 * Turns switches of a server. Its owner finds what was changed, why and by whom among its events, and is told
 * of a server that is disabled or allowed to run again.
 * @throws DomainError `server_id_not_found`
 */
export async function changeFlags(
  { db, boss }: Pick<Context, 'db' | 'boss'>,
  { serverId, userId }: { serverId: string; userId: string },
  { reason, ...wanted }: z.output<typeof changeAdminServerBody>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockServer(trx, serverId)
    const server = await requireServer(trx, serverId)
    const before = flagsOf(server)
    const changed = serverFlags.filter((flag) => wanted[flag] !== undefined && wanted[flag] !== before[flag])
    if (changed.length === 0) return
    const only = (flags: Partial<Record<ServerFlag, boolean | undefined>>) =>
      Object.fromEntries(changed.map((flag) => [flag, flags[flag] === true]))
    await writeFlags(trx, serverId, only(wanted))
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_ADMIN_CHANGE',
      level: eventLevels.WARN,
      data: { executor: userId, reason, before: only(before), after: only(wanted) },
    })
    if (!changed.includes('disabled')) return
    await requestReconcile(boss, trx, serverId)
    await notify(trx, {
      userId: server.owner_id,
      kind: wanted.disabled === true ? 'SERVER_DISABLED' : 'SERVER_ENABLED',
      resource: { type: 'server', id: serverId },
      fields: { server: server.name, reason },
    })
  })
}

async function requireServer(db: Handle, serverId: string): Promise<ServerRow> {
  const server = await findServer(db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

const flagsOf = ({ disabled, hidden, testing, sponsored }: ServerRow) => ({ disabled, hidden, testing, sponsored })

function standstillsOf(server: ServerRow): (typeof standstills)[number][] {
  const holds = {
    disabled: server.disabled,
    owner_suspended: server.owner_suspended,
    bill_overdue: server.bill_overdue,
    withdrawn: server.withdrawn_at !== null,
    expired: isExpired(server) && server.withdrawn_at === null,
    cluster_draining: server.cluster_draining,
  }
  return (Object.keys(holds) as (keyof typeof holds)[]).filter((name) => holds[name])
}
