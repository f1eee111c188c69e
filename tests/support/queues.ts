/** The queues of all jobs in the template of test databases, so that no test has to make them. */
import { createLogger } from '@wakestone/kit/logger'
import { allJobs } from '../../apps/server/src/jobs/all.ts'
import { createBoss, ensureQueues } from '../../apps/server/src/jobs/boss.ts'

export async function makeQueues(url: string): Promise<void> {
  const boss = createBoss({ url, logger: createLogger({ part: 'test', level: 'silent' }), supervise: false })
  await boss.start()
  try {
    await ensureQueues(boss, allJobs)
  } finally {
    await boss.stop({ graceful: false })
  }
}
