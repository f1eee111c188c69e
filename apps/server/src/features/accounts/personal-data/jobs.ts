import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { exportDataJob, makeExport } from './export.ts'
import { tidyExports, tidyExportsJob } from './upkeep.ts'

export const personalDataJobs = [exportDataJob, tidyExportsJob]

export async function registerPersonalDataJobs(context: Context): Promise<void> {
  await work(context, exportDataJob, ({ exportId }) => makeExport(context, exportId), { concurrency: 1 })
  await work(context, tidyExportsJob, () => tidyExports(context))
  await context.boss.schedule(tidyExportsJob.queue, '41 * * * *')
}
