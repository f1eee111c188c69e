import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { heedAnswers } from './service.ts'

/** Every five minutes. */
export const heedAnswersJob = defineJob<Record<string, never>>({
  queue: 'tax-corrections',
  policy: 'short',
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})

export async function registerTaxCorrectionJobs(context: Context): Promise<void> {
  await work(context, heedAnswersJob, () => heedAnswers(context, new Date()))
  await context.boss.schedule(heedAnswersJob.queue, '*/5 * * * *')
}
