/** Background work on servers; what the jobs do is in `reconcile.ts` and `kill.ts`. */
import type { Transaction } from '#src/db/client.ts'
import { type Boss, defineJob, enqueue, enqueueAll } from '#src/jobs/boss.ts'

/**
 * Brings one server nearer to what it should be. At most one waits per server; that no two run at once is seen to by
 * a lock which dies with its worker, where a job of a killed one would be held until it expires.
 */
export const reconcileJob = defineJob<{ serverId: string }>({
  queue: 'reconcile-server',
  policy: 'short',
  retryLimit: 0,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
  // There are some of each server in an hour.
  keepSeconds: 600,
})

/** Ends a game at once. A queue of its own: it waits behind nothing. */
export const killJob = defineJob<{ serverId: string }>({
  queue: 'kill-server',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 1,
  expireInSeconds: 60,
})

/** What was ordered or has happened goes before servers whose turn it is, also where one of those is the same. */
const soon = (serverId: string) => ({ singletonKey: `soon ${serverId}`, priority: 1 })

export function requestReconcile(boss: Boss, trx: Transaction, serverId: string): Promise<void> {
  return enqueue(boss, trx, reconcileJob, { serverId }, soon(serverId))
}

/** For many whose turn it is. */
export function requestReconciles(boss: Boss, trx: Transaction, serverIds: readonly string[]): Promise<void> {
  const jobs = serverIds.map((serverId) => ({ data: { serverId }, singletonKey: serverId }))
  return enqueueAll(boss, trx, reconcileJob, jobs)
}

export function requestKill(boss: Boss, trx: Transaction, serverId: string): Promise<void> {
  return enqueue(boss, trx, killJob, { serverId }, { singletonKey: serverId })
}

/** As `requestReconcile`, where nothing else is written. */
export async function sendReconcile(boss: Boss, serverId: string): Promise<void> {
  await boss.send(reconcileJob.queue, { serverId }, soon(serverId))
}
