import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { checkTaxId, checkTaxIdJob } from './check.ts'

export async function registerTaxDataJobs(context: Context): Promise<void> {
  await work(context, checkTaxIdJob, (data) => checkTaxId(context, data))
}
