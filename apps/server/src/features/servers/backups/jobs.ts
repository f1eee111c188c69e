import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { beginDueBackups, drillBackup, lookAfterRepositories } from './upkeep.ts'

const none = { policy: 'singleton', retryLimit: 0, retryDelaySeconds: 60 } as const

export const beginBackupsJob = defineJob<Record<string, never>>({
  ...none,
  queue: 'begin-due-backups',
  expireInSeconds: 300,
})
/** Reading a seventh of many repositories takes its time. */
export const keepBackupsJob = defineJob<Record<string, never>>({
  ...none,
  queue: 'look-after-backups',
  expireInSeconds: 6 * 3600,
})
export const drillBackupJob = defineJob<Record<string, never>>({
  ...none,
  queue: 'drill-a-backup',
  expireInSeconds: 3 * 3600,
})
export const backupJobs = [beginBackupsJob, keepBackupsJob, drillBackupJob]

/** @returns how to end what is under way. */
export async function registerBackupJobs(context: Context): Promise<() => void> {
  const ending = new AbortController()
  const { signal } = ending
  await work(context, beginBackupsJob, () => beginDueBackups(context))
  await work(context, keepBackupsJob, () => lookAfterRepositories(context, signal))
  await work(context, drillBackupJob, async () => void (await drillBackup(context, signal)))
  await context.boss.schedule(beginBackupsJob.queue, '* * * * *')
  await context.boss.schedule(keepBackupsJob.queue, '*/20 0-6 * * *')
  await context.boss.schedule(drillBackupJob.queue, '40 4 * * *')
  return () => ending.abort()
}
