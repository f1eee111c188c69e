import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { askAgain, checkTaxId, checkTaxIdJob } from './check.ts'

export { checkTaxIdJob }

/** Every night. */
export const askAgainJob = defineJob<Record<string, never>>({
  queue: 'ask-tax-ids-again',
  policy: 'short',
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})

export async function registerTaxDataJobs(context: Context): Promise<void> {
  await work(context, checkTaxIdJob, (data) => checkTaxId(context, data))
  await work(context, askAgainJob, () => askAgain(context, new Date()))
  await context.boss.schedule(askAgainJob.queue, '17 3 * * *')
}
