import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Source } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { checkForUpdates, clearPacks } from './updates.ts'

export { keepArtifactUrl } from './own-address.ts'

/** Every ten minutes: servers that were not looked at for a day, and those that take updates within their hours. */
export const checkPackageUpdatesJob = defineJob<Record<string, never>>({
  queue: 'check-package-updates',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 900,
})

export async function registerPackageJobs(
  context: Context,
  { sources, engines }: { sources: readonly Source[]; engines: EngineCatalogue },
): Promise<void> {
  await work(context, checkPackageUpdatesJob, async () => {
    await checkForUpdates({ ...context, sources, engines })
    await clearPacks(context)
  })
  await context.boss.schedule(checkPackageUpdatesJob.queue, '*/10 * * * *')
}
