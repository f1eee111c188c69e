/**
 * All placed supervisors, wherever they run, and how to speak to them.
 */
import { setMaxListeners } from 'node:events'
import { resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { createSupervisorClient, type SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { createGate, type Gate } from '#src/adapters/supervisor/gate.ts'
import { createFilesSigner, createSupervisorSigner } from '#src/adapters/supervisor/tokens.ts'
import type { ThawGrant } from '@wakestone/protocol/gateway'
import { signPlan } from '#src/adapters/packages/signed-files.ts'
import { createFilesClients } from '#src/adapters/files/clients.ts'
import type { FilesClient } from '#src/adapters/files/client.ts'
import type { Cluster, FilesEndpoint, Placement, Workload } from './cluster.ts'
import { createProcessCluster } from './process/process-cluster.ts'
import { walls } from './process/walls.ts'

type Placed = Pick<Placement & { state: 'running' }, 'endpoint' | 'game'>

export type Fleet = {
  cluster: Cluster
  connect(serverId: string, placement: Placed): SupervisorClient
  /** The supervisor of a server, if one runs. */
  find(serverId: string): Promise<SupervisorClient | undefined>
  /** The files of a server, whether anything of it runs or not: their service comes up when it is asked. */
  files(server: Workload): FilesClient
  /** With what a gateway thaws the game of a server by itself, for a week; undefined where no supervisor runs. */
  grantThaw(serverId: string): Promise<ThawGrant | undefined>
  /** With what a gateway opens one SFTP session on the files of a server, within a minute. */
  grantSftp(server: Workload): Promise<{ endpoint: FilesEndpoint; ticket: string }>
  /** Ends all that is being said. Games go on. */
  close(): void
}

/** The supervisor as set-up has built it. */
export const supervisorFile = resolve(import.meta.dirname, '../../../../supervisor/build/supervisor.mjs')

/** The files service as set-up has built it. */
const filesFile = resolve(import.meta.dirname, '../../../../files/build/files.mjs')

/** Once per process: what a supervisor may say is counted for all who listen. */
export function createFleet({
  settings,
  secrets,
  logger,
  cluster = openCluster({ settings, secrets, logger }),
}: FleetParts & { cluster?: Cluster }): Fleet {
  const sign = createSupervisorSigner(secrets.supervisor.privateKey)
  const signFiles = createFilesSigner(secrets.supervisor.privateKey)
  const gates = new Map<string, Gate>()
  const closing = new AbortController()
  const ownPorts = portsOf(settings)
  setMaxListeners(0, closing.signal)
  const files = createFilesClients({ cluster, privateKey: secrets.supervisor.privateKey, closing: closing.signal })

  function connect(serverId: string, { endpoint, game }: Placed): SupervisorClient {
    let gate = gates.get(serverId)
    if (gate === undefined) gates.set(serverId, (gate = createGate({ serverId, logger, ownPorts })))
    const client = createSupervisorClient({
      endpoint,
      game,
      serverId,
      sign,
      gate,
      provide: cluster.provide,
      closing: closing.signal,
    })
    return { ...client, install: (plan) => client.install(signPlan(plan, secrets, serverId)) }
  }
  return {
    cluster,
    connect,
    files,
    async find(serverId) {
      const placement = await cluster.inspect(serverId)
      return placement.state === 'running' ? connect(serverId, placement) : undefined
    },
    async grantThaw(serverId) {
      const placement = await cluster.inspect(serverId)
      if (placement.state !== 'running') return undefined
      return { endpoint: placement.endpoint, ticket: sign({ serverId, purpose: 'thaw' }) }
    },
    async grantSftp({ serverId, limits }) {
      const endpoint = await cluster.openFiles(serverId, limits)
      return { endpoint, ticket: signFiles(serverId, 'sftp') }
    },
    close: () => closing.abort(),
  }
}

type FleetParts = {
  settings: Pick<
    Settings,
    | 'DATA_DIR'
    | 'BWRAP_PATH'
    | 'ALLOW_UNSANDBOXED'
    | 'ALLOW_MISSING_WALLS'
    | 'NODE_ENV'
    | 'SERVER_INTERNET'
    | 'SERVER_REACHES'
    | 'SERVER_DNS'
    | 'EXTRA_PORTS'
    | 'HTTP_PORT'
    | 'GAME_PORT'
    | 'SFTP_PORT'
    | 'METRICS_PORT'
    | 'DATABASE_URL'
  >
  secrets: Pick<Secrets, 'supervisor'>
  logger: Logger
}

/** Where parts of the product listen, the demo's stand-ins included. */
function portsOf({ HTTP_PORT, GAME_PORT, SFTP_PORT, METRICS_PORT, DATABASE_URL }: FleetParts['settings']): Set<number> {
  const metrics = METRICS_PORT ?? HTTP_PORT + 100
  const standIns = [200, 201, 202, 203].map((step) => HTTP_PORT + step)
  const database = DATABASE_URL === undefined ? 5432 : Number(new URL(DATABASE_URL).port || 5432)
  return new Set([HTTP_PORT, GAME_PORT, SFTP_PORT, metrics, metrics + 1, metrics + 2, database, ...standIns])
}

export const openCluster = ({ settings, secrets, logger }: FleetParts): Cluster =>
  createProcessCluster({
    dataDir: settings.DATA_DIR,
    supervisorFile,
    filesFile,
    nodePath: process.execPath,
    bwrapPath: settings.BWRAP_PATH,
    allowUnsandboxed: settings.ALLOW_UNSANDBOXED,
    mayMiss: settings.NODE_ENV === 'production' ? settings.ALLOW_MISSING_WALLS : walls,
    network: {
      internet: settings.SERVER_INTERNET,
      reachable: settings.SERVER_REACHES,
      resolvers: settings.SERVER_DNS,
      extraPorts: settings.EXTRA_PORTS,
    },
    publicKey: secrets.supervisor.publicKey,
    logger,
  })
