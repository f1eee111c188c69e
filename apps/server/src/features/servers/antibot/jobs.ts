import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { tidyAntibot } from './service.ts'

/** Each minute: attacks of which nobody tells any more, and figures that are old. */
export const tidyAntibotJob = defineJob<Record<string, never>>({
  queue: 'tidy-antibot',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})

export async function registerAntibotJobs(context: Context): Promise<void> {
  await work(context, tidyAntibotJob, () => tidyAntibot(context))
  await context.boss.schedule(tidyAntibotJob.queue, '* * * * *')
}
