import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { clearDrafts, inspectRelease } from './inspection.ts'
import { clearDraftsJob, inspectReleaseJob } from './job-definitions.ts'

export const releaseJobs = [inspectReleaseJob, clearDraftsJob]

export async function registerReleaseJobs(context: Context): Promise<void> {
  await work(context, inspectReleaseJob, ({ releaseId }) => inspectRelease(context, releaseId))
  await work(context, clearDraftsJob, () => clearDrafts(context))
  await context.boss.schedule(clearDraftsJob.queue, '17 * * * *', {})
}
