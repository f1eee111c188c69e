import type { Transaction } from '#src/db/client.ts'
import { type Boss, defineJob, enqueue } from '#src/jobs/boss.ts'

/** Has a worker take an operation up; which one works on it, and that it is only one, a lock sees to. */
export const runOperationJob = defineJob<{ operationId: string }>({
  queue: 'run-operation',
  policy: 'short',
  retryLimit: 0,
  retryDelaySeconds: 1,
  expireInSeconds: 60,
})

export function requestRun(boss: Boss, trx: Transaction, operationId: string): Promise<void> {
  return enqueue(boss, trx, runOperationJob, { operationId }, { singletonKey: operationId })
}
