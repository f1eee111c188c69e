import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { tellFileChanges } from './changes.ts'

/** Each minute: what was done with files becomes events once its minute is over. */
export const tellFileChangesJob = defineJob<Record<string, never>>({
  queue: 'tell-file-changes',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 10,
  expireInSeconds: 300,
})

export async function registerFileJobs(context: Context): Promise<void> {
  await work(context, tellFileChangesJob, () => tellFileChanges(context))
  await context.boss.schedule(tellFileChangesJob.queue, '* * * * *')
}
