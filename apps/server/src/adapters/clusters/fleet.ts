/**
 * All placed supervisors, wherever they run, and how to speak to them.
 */
import { setMaxListeners } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { createSupervisorClient, type SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { createGate, type Gate } from '#src/adapters/supervisor/gate.ts'
import { createAgentSigner, createFilesSigner, createSupervisorSigner } from '#src/adapters/supervisor/tokens.ts'
import type { GameWay, ThawGrant } from '@wakestone/protocol/gateway'
import { signPlan } from '#src/adapters/packages/signed-files.ts'
import { createFilesClients } from '#src/adapters/files/clients.ts'
import type { FilesClient } from '#src/adapters/files/client.ts'
import { createAgentCluster } from './agent/agent-cluster.ts'
import type { Cluster, FilesEndpoint, Placement, Workload } from './cluster.ts'
import { createDockerCluster } from './docker/docker-cluster.ts'
import { createKubernetesCluster } from './kubernetes/kubernetes-cluster.ts'
import { createProcessCluster } from './process/process-cluster.ts'
import { walls } from './process/walls.ts'
import { type ClusterDirectory, createRoutedCluster, type OtherCluster } from './routed-cluster.ts'

type Placed = Pick<Placement & { state: 'running' }, 'endpoint' | 'game'>

export type Fleet = {
  /** All clusters as one, by server. */
  cluster: Cluster
  /** One of them, by its own id. */
  clusterOf(clusterId: string): Promise<Cluster>
  connect(serverId: string, placement: Placed): SupervisorClient
  /** The supervisor of a server, if one runs. */
  find(serverId: string): Promise<SupervisorClient | undefined>
  /** The files of a server, whether anything of it runs or not: their service comes up when it is asked. */
  files(server: Workload): FilesClient
  /** With what a gateway thaws the game of a server by itself, for a week; undefined where no supervisor runs. */
  grantThaw(serverId: string): Promise<ThawGrant | undefined>
  /** With what a gateway reaches a game through an agent, for a week; undefined where it needs none. */
  grantWay(serverId: string): Promise<GameWay | undefined>
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
  directory,
  cluster: local = openCluster({ settings, secrets, logger }),
}: FleetParts & {
  /** Clusters elsewhere than on this machine; there are none where it is missing. */
  directory?: ClusterDirectory
  /** The cluster of this machine. */
  cluster?: Cluster
}): Fleet {
  const routed =
    directory &&
    createRoutedCluster({
      local,
      directory,
      open: (other) => openOther({ settings, secrets, logger, homesIn: directory.homesIn }, other),
    })
  const cluster = routed ?? local
  const sign = createSupervisorSigner(secrets.supervisor.privateKey)
  const signFiles = createFilesSigner(secrets.supervisor.privateKey)
  const signWays = createAgentSigner(secrets.supervisor.privateKey)
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
      provide: (plan) => cluster.provide(plan, serverId),
      closing: closing.signal,
    })
    return { ...client, install: (plan) => client.install(signPlan(plan, secrets, serverId)) }
  }
  return {
    cluster,
    clusterOf: async (clusterId) => (routed === undefined ? local : routed.of(clusterId)),
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
    async grantWay(serverId) {
      const agent = await cluster.agentOf?.(serverId)
      return agent && { agent, ticket: signWays.game(serverId) }
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
    | 'CRIU_PATH'
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
    | 'DATABASE_DIRECT_URL'
  >
  secrets: Pick<Secrets, 'supervisor'>
  logger: Logger
}

/** Where parts of the product listen, the demo's stand-ins included. */
function portsOf(settings: FleetParts['settings']): Set<number> {
  const { HTTP_PORT, GAME_PORT, SFTP_PORT, METRICS_PORT, DATABASE_URL, DATABASE_DIRECT_URL } = settings
  const metrics = METRICS_PORT ?? HTTP_PORT + 100
  const standIns = [200, 201, 202, 203].map((step) => HTTP_PORT + step)
  const databases = [DATABASE_URL, DATABASE_DIRECT_URL].filter((url) => url !== undefined)
  const databasePorts = databases.length === 0 ? [5432] : databases.map((url) => Number(new URL(url).port || 5432))
  return new Set([HTTP_PORT, GAME_PORT, SFTP_PORT, metrics, metrics + 1, metrics + 2, ...databasePorts, ...standIns])
}

/** What all drivers are told. */
const commonParts = ({ settings, secrets, logger }: FleetParts) => ({
  dataDir: settings.DATA_DIR,
  supervisorFile,
  filesFile,
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

/** The cluster of this machine. */
export const openCluster = (parts: FleetParts): Cluster => openProcessCluster(parts, parts.settings.DATA_DIR)

const openProcessCluster = (parts: FleetParts, dataDir: string): Cluster =>
  createProcessCluster({
    ...commonParts(parts),
    dataDir,
    nodePath: process.execPath,
    bwrapPath: parts.settings.BWRAP_PATH,
    criuPath: parts.settings.CRIU_PATH === 'off' ? '' : parts.settings.CRIU_PATH,
    allowUnsandboxed: parts.settings.ALLOW_UNSANDBOXED,
    machine: { dataDir: parts.settings.DATA_DIR, others: () => othersOf(parts).map((id) => folderOf(parts, id)) },
  })

type Homes = Pick<ClusterDirectory, 'homesIn'>

function openOther({ homesIn, ...parts }: FleetParts & Homes, other: OtherCluster): Cluster {
  const common = commonParts(parts)
  if (other.kind === 'docker') return createDockerCluster({ ...common, id: other.id, hosts: other.hosts })
  if (other.kind === 'kubernetes') return createKubernetesCluster({ ...common, id: other.id, place: other.place })
  if (other.kind === 'agent') {
    const { id, machines } = other
    const { privateKey } = parts.secrets.supervisor
    return createAgentCluster({
      ...common,
      id,
      machines,
      homes: homesIn(id),
      privateKey,
      internet: common.network.internet,
    })
  }
  const folder = folderOf(parts, other.id)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  return openProcessCluster(parts, folder)
}

/** Below DATA_DIR: folders of clusters of this machine that have their own. */
const clustersFolder = 'clusters'
const folderOf = ({ settings }: FleetParts, id: string) => join(settings.DATA_DIR, clustersFolder, id)
const othersOf = ({ settings }: FleetParts): string[] => {
  const folder = join(settings.DATA_DIR, clustersFolder)
  return existsSync(folder) ? readdirSync(folder) : []
}

/** All clusters of processes on this machine, without asking the database. */
export const openAllOfMachine = (parts: FleetParts): Cluster[] => [
  openCluster(parts),
  ...othersOf(parts).map((id) => openProcessCluster(parts, folderOf(parts, id))),
]
