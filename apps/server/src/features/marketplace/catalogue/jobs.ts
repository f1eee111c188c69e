import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { defineJob, enqueue, work } from '#src/jobs/boss.ts'
import { countUses } from '#src/features/marketplace/reviews/service.ts'
import { isolateEverywhere } from './isolation.ts'
import { isolatePackagesJob } from './job-definitions.ts'

/** Every five minutes: how long servers have run with what they have. */
const countUsesJob = defineJob<Record<string, never>>({
  queue: 'count-project-uses',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})
export const catalogueJobs = [isolatePackagesJob, countUsesJob]

/** Before what is busy is asked again. */
const againSeconds = 3

export async function registerCatalogueJobs(context: Context): Promise<void> {
  await work(context, isolatePackagesJob, async () => {
    if (await isolateEverywhere(context)) return
    await inTransaction(context.db, (trx) =>
      enqueue(context.boss, trx, isolatePackagesJob, {}, { startAfterSeconds: againSeconds }),
    )
  })
  await work(context, countUsesJob, () => countUses(context.db))
  // Servers that have got it by another way since, such as a backup of their plan.
  await context.boss.schedule(isolatePackagesJob.queue, '* * * * *')
  await context.boss.schedule(countUsesJob.queue, '*/5 * * * *')
}
