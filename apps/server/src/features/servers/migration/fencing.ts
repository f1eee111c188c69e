/**
 * Cleans up after rescues. When a lost machine is back, the games of servers rescued from it are stopped there, with their
 * worlds saved, and their workloads removed. No player is sent to them meanwhile. The files stay for a while: only they have
 * what was built after the backup.
 */
import type { Placement } from '#src/adapters/clusters/cluster.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { isLive } from '#src/features/servers/servers/service.ts'
import { findPlacement } from './fit.ts'
import * as repo from './repo.ts'

const passMilliseconds = 5_000
/** Beyond what its stop may take. */
const graceMilliseconds = 30_000

type Deps = Pick<Context, 'db' | 'fleet' | 'logger'>
export type FencingWork = { close(): Promise<void> }

/** Looks for machines that are back for as long as a worker runs. */
export function beginFencing({ db, fleet, logger }: Deps): FencingWork {
  /** By when a game that was told to stop is ended whatever it says; by operation. */
  const patience = new Map<string, number>()

  async function fence({
    operation_id,
    server_id: serverId,
    from_cluster,
    stop_timeout,
  }: repo.Abandoned): Promise<void> {
    const cluster = await fleet.clusterOf(from_cluster)
    const placement = await findPlacement(cluster, serverId)
    if (placement === undefined || placement.state === 'lost') return
    if (!patience.has(operation_id)) patience.set(operation_id, Date.now() + stop_timeout * 1000 + graceMilliseconds)
    const isPatient = Date.now() < (patience.get(operation_id) ?? 0)
    if (placement.state === 'running' && isPatient && (await isGoingDown(serverId, placement, stop_timeout))) return
    await cluster.closeBoxes(serverId)
    await cluster.remove(serverId)
    await repo.writeBack(db, operation_id)
    patience.delete(operation_id)
    logger.info({ serverId, cluster: from_cluster }, 'a rescued server was ended where it had been lost')
  }

  /** Has the game stop. @returns false once it has, and where its supervisor is no help */
  async function isGoingDown(
    serverId: string,
    placement: Placement & { state: 'running' },
    stopSeconds: number,
  ): Promise<boolean> {
    const supervisor = fleet.connect(serverId, placement)
    try {
      const { phase } = await supervisor.status()
      // A frozen one has written its world before.
      if (!isLive(phase) || phase === 'frozen') return false
      if (phase !== 'stopping') await supervisor.stop(stopSeconds)
      return true
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      return false
    }
  }

  async function pass(): Promise<void> {
    for (const move of await repo.selectAbandoned(db))
      await fence(move).catch((error: unknown) => {
        const { server_id: serverId, from_cluster: cluster } = move
        logger.warn({ serverId, cluster, error }, 'a rescued server cannot be ended yet where it had been lost')
      })
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let passing: Promise<void> = Promise.resolve()
  function passOnce() {
    passing = pass()
      .catch((error: unknown) => logger.warn({ error }, 'nobody looks for machines that are back'))
      .then(() => {
        if (!isClosed) timer = setTimeout(passOnce, passMilliseconds)
      })
  }
  passOnce()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await passing
    },
  }
}
