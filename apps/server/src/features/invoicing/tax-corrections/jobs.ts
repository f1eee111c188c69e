import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { handleAnswers } from './service.ts'

/** Every five minutes. */
export const handleAnswersJob = defineJob<Record<string, never>>({
  queue: 'tax-corrections',
  policy: 'short',
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})

export async function registerTaxCorrectionJobs(context: Context): Promise<void> {
  await work(context, handleAnswersJob, () => handleAnswers(context, new Date()))
  await context.boss.schedule(handleAnswersJob.queue, '*/5 * * * *')
}
