import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { deleteAccountsJob, deleteDueAccounts } from './deletion.ts'

export { deleteAccountsJob }

export async function registerAccountJobs(context: Context): Promise<void> {
  await work(context, deleteAccountsJob, () => deleteDueAccounts(context))
  await context.boss.schedule(deleteAccountsJob.queue, '17 * * * *')
}
