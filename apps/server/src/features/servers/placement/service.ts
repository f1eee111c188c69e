/**
 * What a worker does about servers: jobs, watchers, and a sweep for whatever slipped through.
 */
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { createLocks } from '#src/db/locks.ts'
import { work } from '#src/jobs/boss.ts'
import { createRecorder } from '#src/features/servers/history/service.ts'
import { killJob, reconcileJob, requestReconcile } from '#src/features/servers/servers/service.ts'
import { claimDueLooks } from './looks-repo.ts'
import { selectPlacedServers } from './observed-repo.ts'
import { claimSeconds, createReconciler } from './reconcile.ts'
import { createWatchers } from './watchers.ts'

const sweepMilliseconds = 1_000
/** Every so many sweeps, servers that nobody follows are found. */
const sweepsPerFollowing = 3
const reconcilesAtOnce = 8

export type ServerWork = {
  /** Servers whose supervisors this worker follows. */
  watched(): number
  /** Stops following and sweeping; games go on. Call it after the jobs have been stopped. */
  close(): Promise<void>
}

export async function beginServerWork(
  context: Context,
  options: { unreachedPatience?: number } = {},
): Promise<ServerWork> {
  const { db, boss, logger, fleet } = context
  const locks = createLocks({ url: context.databaseUrl, logger })
  const recorder = createRecorder(context)
  const watchers = createWatchers({ context, fleet, locks, recorder })
  const reconcile = createReconciler({ context, fleet, locks, watch: watchers.ensure, ...options })
  void fleet.cluster.check() // says loudly when no server can be placed

  await work(context, reconcileJob, ({ serverId }) => reconcile(serverId), { concurrency: reconcilesAtOnce })
  await work(context, killJob, ({ serverId }) => killGame(serverId))

  /** A supervisor that does not listen is ended with its game; the reconciler brings it back without. */
  async function killGame(serverId: string): Promise<void> {
    const supervisor = await fleet.find(serverId)
    try {
      await supervisor?.kill()
      await fleet.cluster.endGame(serverId)
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      logger.warn({ error, serverId }, 'supervisor does not take a kill; ending it')
      await fleet.cluster.remove(serverId)
    }
  }

  let sweeps = 0
  async function sweep(): Promise<void> {
    if (sweeps++ % sweepsPerFollowing === 0)
      for (const serverId of await selectPlacedServers(db)) watchers.ensure(serverId)
    // Together: a look that is claimed and for which there is no job would wait for its next turn.
    await inTransaction(db, async (trx) => {
      for (const serverId of await claimDueLooks(trx, claimSeconds)) await requestReconcile(boss, trx, serverId)
    })
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let sweeping: Promise<void> = Promise.resolve()
  function sweepOnce() {
    sweeping = sweep()
      .catch((error: unknown) => logger.warn({ error }, 'servers cannot be looked through'))
      .then(() => {
        if (!isClosed) timer = setTimeout(sweepOnce, sweepMilliseconds)
      })
  }
  sweepOnce()

  return {
    watched: watchers.count,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await sweeping
      await watchers.close()
      await recorder.close()
      await locks.close()
    },
  }
}
