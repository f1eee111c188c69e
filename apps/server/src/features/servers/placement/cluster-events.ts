/**
 * What clusters tell on their own: a supervisor that has died is looked at without waiting for its turn, and one that
 * nobody wants is taken away.
 */
import type { Context } from '#src/context.ts'
import type { Locks } from '#src/db/locks.ts'
import { sendReconcile } from '#src/features/servers/servers/service.ts'
import { selectPlacedAmong } from './observed-repo.ts'

const retryMilliseconds = 5_000

type Deps = { context: Pick<Context, 'db' | 'boss' | 'fleet' | 'logger'>; locks: Locks; signal: AbortSignal }

export async function followClusters({ context, locks, signal }: Deps): Promise<void> {
  const { db, boss, fleet, logger } = context

  async function follow() {
    for await (const event of fleet.cluster.watch(signal)) {
      if (event.kind === 'changed') await tell(event.serverId)
      else await removeUnwanted(event.serverIds)
    }
  }

  async function tell(serverId: string): Promise<void> {
    const [server] = await selectPlacedAmong(db, [serverId])
    if (server?.placed === true) await sendReconcile(boss, serverId)
  }

  /** Whoever placed one was killed before that was written, and nobody has wanted it since. */
  async function removeUnwanted(serverIds: readonly string[]): Promise<void> {
    for (const { id, placed } of await selectPlacedAmong(db, serverIds)) {
      if (placed || signal.aborted) continue
      const release = await locks.tryHold(`reconcile ${id}`)
      if (release === undefined) continue // it is just being placed, or taken away
      try {
        const [now] = await selectPlacedAmong(db, [id])
        if (now?.placed !== false) continue
        await fleet.cluster.remove(id)
        logger.warn({ serverId: id }, 'a supervisor that nobody wanted was taken away')
      } finally {
        await release()
      }
    }
  }

  while (!signal.aborted) {
    await follow().catch((error: unknown) => logger.info({ error }, 'clusters cannot be followed now'))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, signal.aborted ? 0 : retryMilliseconds)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  }
}
