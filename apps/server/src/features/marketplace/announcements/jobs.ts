import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { announceReleasesJob, sendWebhookJob } from './job-definitions.ts'
import { announceReleases, sendDelivery } from './service.ts'

export const announcementJobs = [announceReleasesJob, sendWebhookJob]

export async function registerAnnouncementJobs(context: Context): Promise<void> {
  await work(context, announceReleasesJob, () => announceReleases(context), { concurrency: 1 })
  await work(context, sendWebhookJob, ({ deliveryId }) => sendDelivery(context, deliveryId))
  await context.boss.schedule(announceReleasesJob.queue, '* * * * *')
}
