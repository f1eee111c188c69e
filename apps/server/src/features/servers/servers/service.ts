/**
 * Servers as the contract shows them.
 */
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Product } from '@wakestone/contract/sales/product'
import type { ClusterPort } from '@wakestone/contract/servers/ports'
import type { Server } from '@wakestone/contract/servers/server'
import type { GameStatus } from '@wakestone/contract/states'
import type { Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import { releaseDomains } from '#src/features/servers/domains/service.ts'
import { joinAddress } from './join-address.ts'
import { requestReconcile } from './jobs.ts'
import { setAutostart } from './power.ts'
import {
  findDiskBytes,
  findServerFor,
  findServerOfService,
  selectLevels,
  selectOwnServers,
  selectServers,
  selectServersOf,
  type ServerRow,
} from './repo.ts'
import { describeStatus, isDisabled, isPlacedAsWanted, podNameOf } from './status.ts'
import { deleteServer, updateTrial, writeLimits } from './wanted-repo.ts'

export { createServerChanges, type ServerChanges } from './changes.ts'
export { keepsWorld, requireNoDowngrade, worldsOf } from './downgrade.ts'
export { decideLevel } from './level.ts'
export { warnOfFullDisk } from './full-disk.ts'
export { giveBedrockPort } from './bedrock-ports.ts'
export { joinAddress } from './join-address.ts'
export { killJob, reconcileJob, requestReconcile, requestReconciles, sendReconcile } from './jobs.ts'
export {
  findLocked,
  requireFitting,
  requireRunnable,
  restartServer,
  restartServerWithin,
  startServer,
  stopServer,
  stopServerWithin,
} from './power.ts'
export { requireFewWishes } from './few-wishes.ts'
export { findServer, selectServers, type ServerRow } from './repo.ts'
export { findSetup, type Setup, writeSetup } from './setup.ts'
export {
  describeStatus,
  expectedStart,
  expectedWake,
  hasOwnNetwork,
  isDisabled,
  isExpired,
  requirePaid,
  isLive,
  isPlacedAsWanted,
  isSleeping,
  lacksStorage,
  panelStateOf,
  shouldRun,
} from './status.ts'
export { needWorkload, wakeServer } from './wake.ts'
export { workloadOf } from './workload.ts'
export {
  deleteFiles,
  grantServer,
  insertServer,
  lockServer,
  markUsed,
  setCleanup,
  wantRunning,
  wantStopped,
  writeFlags,
  writeSetLimits,
  type Sleep,
  writeAsleep,
  writeWoken,
} from './wanted-repo.ts'

/** A server as a request finds it, with what its caller may do on it. */
export type ServerResource = ServerRow & { capabilities: Capabilities }

/** One query. Undefined when there is no such server. */
export async function findServerResource(
  db: Handle,
  serverId: string,
  userId: string,
): Promise<ServerResource | undefined> {
  const row = await findServerFor(db, serverId, userId)
  return row === undefined ? undefined : { ...row, capabilities: row.capabilities ?? {} }
}

/** Servers that a user owns or shares, oldest first; those that an administrator has hidden only where asked for. */
export async function listServersOf(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
  { hidden: withHidden }: { hidden: boolean },
): Promise<Server[]> {
  const rows = await selectServersOf(db, userId)
  return rows
    .filter(({ hidden }) => withHidden || !hidden)
    .map((row) => describeServer({ ...row, capabilities: row.capabilities ?? {} }, settings))
}

const isoTime = (text: string) => new Date(text).toISOString()

/** What a player types to join. */
function addressOf({ domains, bedrock_port }: ServerRow, settings: AddressSettings): string {
  const domain = domains.find(({ kind }) => kind === 'primary') ?? domains[0]
  const hasSrv = settings.PDNS_URL !== undefined && domain?.external === false
  return joinAddress(domain?.fqdn ?? '', settings, bedrock_port, hasSrv)
}
type AddressSettings = Pick<Settings, 'GAME_PORT' | 'PDNS_URL'>

export function describeServer(server: ServerResource, settings: AddressSettings): Server {
  const limits = server.limits as Server['parameters']['limits']
  return {
    id: server.id,
    name: server.name,
    pod: server.placed_at === null ? null : podNameOf(server.id),
    cluster_id: server.cluster_id,
    persistent_volume: server.placed_at === null ? null : `volume-${server.id}`,
    service_id: server.service_id,
    product_id: server.product_id,
    owner_id: server.owner_id,
    owner_name: server.owner_name,
    created_at: server.created_at.toISOString(),
    cleanup_date: server.cleanup_date?.toISOString() ?? null,
    deleted_at: server.deleted_at?.toISOString() ?? null,
    files_deleted_at: server.files_deleted_at?.toISOString() ?? null,
    volume_removed_at: server.volume_removed_at?.toISOString() ?? null,
    expires: server.expires?.toISOString() ?? null,
    withdrawn_at: server.withdrawn_at?.toISOString() ?? null,
    autostart: server.autostart,
    disabled: isDisabled(server),
    hidden: server.hidden,
    testing: server.testing,
    sponsored: server.sponsored,
    auto_renew: server.auto_renew,
    cancel_at_end: server.cancel_at_end,
    active: !isDisabled(server) && server.deleted_at === null,
    can_migrate: server.prepared_at !== null && server.volume_removed_at === null && server.files_deleted_at === null,
    referrer: null,
    last_node: null,
    parameters: {
      game: server.game as Server['parameters']['game'],
      engine: server.engine as Server['parameters']['engine'],
      engine_version: server.engine_version,
      game_version: server.game_version,
      limits,
      antibot: server.antibot as Server['parameters']['antibot'],
      limits_pending: server.placed_at !== null && !isPlacedAsWanted(server),
      image: server.pod_image,
    },
    user_capabilities: server.capabilities,
    domains: server.domains.map((domain) => ({
      ...domain,
      external_ns: domain.external,
      created_at: isoTime(domain.created_at),
      updated_at: isoTime(domain.updated_at),
      expires: domain.expires === null ? null : isoTime(domain.expires),
    })),
    cluster_ports: clusterPortsOf(server),
    address: addressOf(server, settings),
    status: describeStatus(server),
  }
}

function clusterPortsOf(server: ServerRow): ClusterPort[] {
  const { service_id, cluster_id } = server
  const common = { cluster_id, service_id, type: 'proxy' as const }
  const taken = server.ports.map(({ port, name, created_by, updated_at }) => {
    return { ...common, port, target_port: port, name, created_by, updated_at: isoTime(updated_at) }
  })
  if (server.bedrock_port === null) return taken
  const own = { port: server.bedrock_port, target_port: server.bedrock_port, name: 'minecraft-bedrock' }
  return [{ ...common, ...own, created_by: null, updated_at: null }, ...taken]
}

const levelsShownDays = 30

/** How deep a server has slept since a time, oldest first. */
export async function listLevels(
  db: Handle,
  serverId: string,
  fromDate?: string,
): Promise<{ level: GameStatus; since: string; freed: number | null }[]> {
  const earliest = Date.now() - levelsShownDays * 86_400_000
  const from = new Date(Math.max(earliest, fromDate === undefined ? 0 : Date.parse(fromDate)))
  const rows = await selectLevels(db, serverId, from)
  return rows.map(({ level, since, freed }) => ({
    level: `IRL_${level}` as GameStatus,
    since: since.toISOString(),
    freed,
  }))
}

/** These servers, whosesoever they are, in the order of their ids; what is gone is left out. */
export async function listServers(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  serverIds: string[],
): Promise<Server[]> {
  const rows = await selectServers(db, serverIds)
  return rows
    .toSorted((one, other) => serverIds.indexOf(one.id) - serverIds.indexOf(other.id))
    .map((row) => describeServer({ ...row, capabilities: {} }, settings))
}

/** The server that a service pays for. */
export async function findRentedServer(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  serviceId: string,
): Promise<Server | undefined> {
  const row = await findServerOfService(db, serviceId)
  return row === undefined ? undefined : describeServer({ ...row, capabilities: {} }, settings)
}

/** When a trial server that nobody buys is removed. */
export function trialRemoval(expires: Date, { TRIAL_KEEP_HOURS }: Pick<Context['settings'], 'TRIAL_KEEP_HOURS'>): Date {
  return new Date(expires.getTime() + TRIAL_KEEP_HOURS * 3_600_000)
}

/** A trial server that has been bought is a server like any other; nothing happens to those that are. */
export function endTrial(trx: Transaction, serviceId: string): Promise<void> {
  return updateTrial(trx, serviceId, null)
}

/** A trial server has been given more time; nothing happens to others. */
export function prolongTrial(
  { settings }: Pick<Context, 'settings'>,
  trx: Transaction,
  { serviceId, expires }: { serviceId: string; expires: Date },
): Promise<void> {
  return updateTrial(trx, serviceId, trialRemoval(expires, settings))
}

/** Has a server looked at again: how long it is paid for has changed. */
export function reconcileServer({ boss }: Pick<Context, 'boss'>, trx: Transaction, serverId: string): Promise<void> {
  return requestReconcile(boss, trx, serverId)
}

/**
 * Gives a server other limits, in the transaction that changes its plan. Memory and cores come with its next start.
 */
export async function changeLimits(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  serverId: string,
  limits: Product['parameters'],
): Promise<void> {
  await writeLimits(trx, serverId, limits)
  await requestReconcile(boss, trx, serverId)
}

/** A server is over: nobody finds it any more, and its address waits before somebody else may have it. */
export async function endServer(trx: Transaction, serverId: string, now: Date): Promise<void> {
  await releaseDomains(trx, serverId, now)
  await deleteServer(trx, serverId, now)
}

/** Bytes that the files of a server take, as its supervisor has told last. */
export type DiskMeter = (serverId: string) => Promise<number>
/** The meter throws where nobody has told yet, although there may be files. */
export function createDiskMeter({ db }: Pick<Context, 'db'>): DiskMeter {
  return async (serverId) => {
    const bytes = await findDiskBytes(db, serverId)
    if (bytes === undefined) throw new Error('the files have not been measured yet')
    return bytes
  }
}

/** Has the servers that a user has rented looked at again: whether they may run has changed. */
export async function reconcileServersOf(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  userId: string,
): Promise<void> {
  for (const { id } of await selectOwnServers(trx, userId)) await requestReconcile(boss, trx, id)
}

/** Stops the servers that a user has rented, for good unless somebody starts them again. */
export async function stopServersOf(deps: Pick<Context, 'db' | 'boss' | 'settings'>, userId: string): Promise<void> {
  for (const server of await selectOwnServers(deps.db, userId)) {
    await setAutostart(deps, server, { executor: { userId }, value: false, stop: true, hard: false, timeout: 60 })
  }
}
