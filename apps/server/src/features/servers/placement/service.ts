/**
 * What a worker does about servers: jobs, watchers, and a sweep for whatever slipped through.
 */
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { createLocks } from '#src/db/locks.ts'
import { createShares } from '#src/db/shares.ts'
import { work } from '#src/jobs/boss.ts'
import { dispatch } from '#src/jobs/dispatch.ts'
import { createRecorder } from '#src/features/servers/history/service.ts'
import { killJob, reconcileJob, requestReconciles } from '#src/features/servers/servers/service.ts'
import { claimDueLooks } from './looks-repo.ts'
import { selectPlacedServers } from './observed-repo.ts'
import { claimSeconds, createReconciler } from './reconcile.ts'
import { followClusters } from './cluster-events.ts'
import { createWatchers } from './watchers.ts'

const sweepMilliseconds = 1_000
/** Servers are found that another worker has placed so recently, by its clock; and after so many sweeps, all. */
const justPlacedMilliseconds = 60_000
const sweepsPerFollowing = 30
const reconcilesAtOnce = 8
/** Servers whose turn it is, in one sweep; while there are jobs enough, the others wait where they are. */
const mostDue = 200
const fewDue = 8

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
  const shares = createShares({ locks, logger, name: 'watch servers' })
  const watchers = createWatchers({ context, fleet, shares, recorder })
  /** Whether there may be servers in its shares that nobody follows. */
  let isAllDue = true
  shares.onChange(async (change) => {
    isAllDue ||= change === 'more'
    if (change === 'more') await followPlaced()
  })

  async function followPlaced(): Promise<void> {
    const since = isAllDue ? undefined : new Date(Date.now() - justPlacedMilliseconds)
    for (const serverId of await selectPlacedServers(db, since)) watchers.ensure(serverId)
    if (shares.count() > 0) isAllDue = false
  }

  const reconcile = createReconciler({ context, fleet, locks, watch: watchers.ensure, ...options })
  // Says loudly when no server can be placed, and then which way of sleeping there is.
  void fleet.cluster.check().then(({ ok }) => (ok ? fleet.cluster.checkpoints?.findFault() : undefined))

  const looks = await dispatch(context, reconcileJob, ({ serverId }) => reconcile(serverId), {
    concurrency: reconcilesAtOnce,
  })
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

  const ending = new AbortController()
  const following = followClusters({ context, locks, signal: ending.signal })

  let sweeps = 0
  async function sweep(): Promise<void> {
    isAllDue ||= sweeps++ % sweepsPerFollowing === 0
    await followPlaced()
    // Together: a look that is claimed and for which there is no job would wait for its next turn.
    await inTransaction(db, async (trx) => {
      const most = looks.isBehind() ? fewDue : mostDue
      await requestReconciles(boss, trx, await claimDueLooks(trx, { claimSeconds, most }))
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
      ending.abort()
      await sweeping
      await following
      await watchers.close()
      await shares.close()
      await recorder.close()
      await locks.close()
    },
  }
}
