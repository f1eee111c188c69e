/** What tests of servers share: money in a wallet, an order, a worker, and waiting for what should come. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Capabilities } from '@wakestone/contract/capabilities'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { Server, ServerStatus } from '@wakestone/contract/servers/server'
import { createLogger } from '@wakestone/kit/logger'
import { createFleet } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { runtimeRoot } from '../../apps/server/src/adapters/clusters/process/paths.ts'
import { closeContext, type Context, createContext } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { ensureLocalCluster } from '../../apps/server/src/features/servers/clusters/service.ts'
import { accounts, postToLedger } from '../../apps/server/src/features/money/ledger/service.ts'
import { beginFencing } from '../../apps/server/src/features/servers/migration/service.ts'
import { beginOperations } from '../../apps/server/src/features/servers/operations/service.ts'
import { beginSchedules } from '../../apps/server/src/features/servers/schedules/service.ts'
import { allOperations } from '../../apps/server/src/operations.ts'
import { markPrepared } from '../../apps/server/src/features/servers/placement/prepared.ts'
import { beginServerWork } from '../../apps/server/src/features/servers/placement/service.ts'
import { buildFlyingSquidArtifact } from '../../engines/flying-squid/src/build.ts'
import type { Caller, TestApi } from './api.ts'

/** Puts money into a customer's PLN wallet, as a payment provider's gateway would. @returns id of the wallet. */
export async function topUp(
  { db }: Pick<Context, 'db'>,
  { user }: Pick<Caller, 'user'>,
  amount: number,
): Promise<string> {
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')
  if (wallet === undefined) throw new Error('no PLN wallet')
  await inTransaction(db, (trx) =>
    postToLedger(trx, {
      scope: 'test',
      key: randomUUID(),
      kind: 'DEPOSIT',
      entries: [
        { code: accounts.gateway('test', 'PLN'), currency: 'PLN', amount: -amount },
        { code: accounts.wallet(wallet.id), currency: 'PLN', amount },
      ],
    }),
  )
  return wallet.id
}

export async function prepareArtifacts({ dataDir }: Pick<TestApi, 'dataDir'>): Promise<{ engineVersion: string }> {
  const { manifest } = await buildFlyingSquidArtifact({ outDir: `${dataDir}/artifacts` })
  return { engineVersion: manifest.contentVersion }
}

/** As far as the database knows: no worker has placed it. */
export const setPrepared = ({ context: { db } }: TestApi, serverId: string) =>
  inTransaction(db, (trx) => markPrepared(trx, serverId))

export const order = (
  walletId: string,
  engineVersion: string,
  more: Partial<(typeof routes.createServer)['body']['_zod']['input']> = {},
) => ({
  name: 'Meadow',
  subdomain: `meadow-${randomUUID().slice(0, 8)}`,
  cluster_id: 'local',
  engine: 'flying-squid' as const,
  engine_version: engineVersion,
  requested_billing_services: ['GRASS'],
  billing_period: '720h' as const,
  currency: 'PLN' as const,
  wallet_id: walletId,
  ...more,
})

/** A worker in this process, on the database, folder and cluster of a test's API. */
export async function startTestWorker(
  { context: { settings, secrets, databaseUrl, fleet: apiFleet } }: Pick<TestApi, 'context'>,
  {
    operations: doesOperations = true,
    ...options
  }: Parameters<typeof beginServerWork>[1] & {
    /** Without them it only places servers. */
    operations?: boolean
  } = {},
) {
  const logger = createLogger({ part: 'test-worker', level: process.env['TEST_LOG'] ?? 'silent' })
  const own = {
    ...createFleet({ settings, secrets, logger, cluster: apiFleet.cluster }),
    clusterOf: apiFleet.clusterOf,
  }
  const context = await createContext({ settings, secrets, logger, databaseUrl, role: 'worker', fleet: own })
  await ensureLocalCluster(context)
  const work = await beginServerWork(context, options)
  const operations = doesOperations ? await beginOperations(context, allOperations) : undefined
  const fencing = doesOperations ? beginFencing(context) : undefined
  const schedules = beginSchedules(context)
  const { fleet } = context
  return {
    context,
    fleet,
    /** Stops the worker; games go on. */
    async stop() {
      await context.boss.stop({ graceful: true, timeout: 5_000 })
      await schedules.close()
      await fencing?.close()
      await operations?.close()
      await work.close()
      await closeContext(context)
    },
    async removeAll() {
      for (const serverId of await fleet.cluster.list()) await fleet.cluster.remove(serverId)
      rmSync(runtimeRoot(settings.DATA_DIR), { recursive: true, force: true })
    },
  }
}

/** Asks for a server's status until it is as wanted. */
export async function untilStatus(
  { call }: Pick<Caller, 'call'>,
  serverId: string,
  isThere: (status: ServerStatus) => boolean,
  milliseconds = 60_000,
): Promise<ServerStatus> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const status = await call(routes.getServerStatus, { params: { id: serverId } })
    if (isThere(status)) return status
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(status)}`)
    await delay(50)
  }
}
/** Gives another user capabilities on a server. */
export async function shareServer(
  { db }: Pick<Context, 'db'>,
  { serverId, userId, capabilities }: { serverId: string; userId: string; capabilities: Capabilities },
): Promise<void> {
  const rows = Object.entries(capabilities).map(([name, value]) => ({
    user_id: userId,
    resource_type: 'server',
    resource_id: serverId,
    name,
    value: JSON.stringify(value),
  }))
  await db.insertInto('user_capabilities').values(rows).execute()
}

export const isUp = (status: ServerStatus) => status.game_status === 'IRL_IDLE' && status.activity === null
export const isDown = (status: ServerStatus) => status.game_status === 'IRL_TERMINATED' && status.activity === null

export type { Server }
