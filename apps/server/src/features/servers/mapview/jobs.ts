import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { drawDue, drawWatched } from './service.ts'
import { clearMaps } from './upkeep.ts'

const none = { policy: 'singleton', retryLimit: 0, retryDelaySeconds: 60, expireInSeconds: 300 } as const

/** Each minute: maps whose day has come, and those that are looked at, are begun a few at a time. */
export const drawDueMapsJob = defineJob<Record<string, never>>({ ...none, queue: 'draw-due-maps' })
export const clearMapsJob = defineJob<Record<string, never>>({ ...none, queue: 'clear-maps-of-servers' })
export const mapJobs = [drawDueMapsJob, clearMapsJob]

export async function registerMapJobs(context: Context): Promise<void> {
  await work(context, drawDueMapsJob, async () => {
    await drawDue(context)
    await drawWatched(context)
  })
  await work(context, clearMapsJob, () => clearMaps(context))
  await context.boss.schedule(drawDueMapsJob.queue, '* * * * *')
  await context.boss.schedule(clearMapsJob.queue, '35 5 * * *')
}
