/**
 * All placed supervisors, wherever they run, and how to speak to them.
 */
import { resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import type { SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import { createSupervisorClient, type SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { createSupervisorSigner } from '#src/adapters/supervisor/tokens.ts'
import type { Cluster } from './cluster.ts'
import { createProcessCluster } from './process/process-cluster.ts'

export type Fleet = {
  cluster: Cluster
  connect(serverId: string, endpoint: SupervisorEndpoint): SupervisorClient
  /** The supervisor of a server, if one runs. */
  find(serverId: string): Promise<SupervisorClient | undefined>
}

/** The supervisor as set-up has built it. */
export const supervisorFile = resolve(import.meta.dirname, '../../../../supervisor/build/supervisor.mjs')

export function createFleet({
  settings,
  secrets,
  logger,
}: {
  settings: Pick<Settings, 'DATA_DIR' | 'BWRAP_PATH' | 'ALLOW_UNSANDBOXED'>
  secrets: Pick<Secrets, 'supervisor'>
  logger: Logger
}): Fleet {
  const sign = createSupervisorSigner(secrets.supervisor.privateKey)
  const cluster = createProcessCluster({
    dataDir: settings.DATA_DIR,
    supervisorFile,
    nodePath: process.execPath,
    bwrapPath: settings.BWRAP_PATH,
    allowUnsandboxed: settings.ALLOW_UNSANDBOXED,
    publicKey: secrets.supervisor.publicKey,
    logger,
  })
  const connect = (serverId: string, endpoint: SupervisorEndpoint) =>
    createSupervisorClient({ endpoint, serverId, sign })
  return {
    cluster,
    connect,
    async find(serverId) {
      const placement = await cluster.inspect(serverId)
      return placement.state === 'running' ? connect(serverId, placement.endpoint) : undefined
    },
  }
}
