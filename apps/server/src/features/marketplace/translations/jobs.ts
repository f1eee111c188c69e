import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { translateDescriptionsJob } from './job-definitions.ts'
import { translateDescriptions } from './service.ts'

export const translationJobs = [translateDescriptionsJob]

export async function registerTranslationJobs(context: Context): Promise<void> {
  await work(context, translateDescriptionsJob, async () => void (await translateDescriptions(context)), {
    concurrency: 1,
  })
  if (context.settings.TRANSLATION_URL === undefined) await context.boss.unschedule(translateDescriptionsJob.queue)
  else await context.boss.schedule(translateDescriptionsJob.queue, '*/5 * * * *')
}
