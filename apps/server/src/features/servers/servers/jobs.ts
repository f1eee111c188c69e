/** Background work on servers; what the jobs do is in `reconcile.ts` and `kill.ts`. */
import type { Transaction } from '#src/db/client.ts'
import { type Boss, defineJob, enqueue } from '#src/jobs/boss.ts'

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
})

/** Ends a game at once. A queue of its own: it waits behind nothing. */
export const killJob = defineJob<{ serverId: string }>({
  queue: 'kill-server',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 1,
  expireInSeconds: 60,
})

export function requestReconcile(boss: Boss, trx: Transaction, serverId: string): Promise<void> {
  return enqueue(boss, trx, reconcileJob, { serverId }, { singletonKey: serverId })
}

export function requestKill(boss: Boss, trx: Transaction, serverId: string): Promise<void> {
  return enqueue(boss, trx, killJob, { serverId }, { singletonKey: serverId })
}

/** As `requestReconcile`, where nothing else is written. */
export async function sendReconcile(boss: Boss, serverId: string): Promise<void> {
  await boss.send(reconcileJob.queue, { serverId }, { singletonKey: serverId })
}
