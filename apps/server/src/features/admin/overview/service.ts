/** The counts on the first page of the administration. */
import type { Overview } from '@wakestone/contract/admin/overview'
import type { Context } from '#src/context.ts'
import { countUnanswered } from '#src/features/accounts/support/service.ts'
import { countFree, countPayments, countServers, countUsers } from './repo.ts'

export async function readOverview({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<Overview> {
  const [servers, free, users, payments, tickets] = await Promise.all([
    countServers(db),
    countFree(db),
    countUsers(db),
    countPayments(db),
    countUnanswered({ db, settings }),
  ])
  return { at: new Date().toISOString(), servers, free, users, payments, tickets }
}
