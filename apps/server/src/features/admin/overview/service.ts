/** The counts on the first page of the administration. */
import type { Overview } from '@wakestone/contract/admin/overview'
import type { Context } from '#src/context.ts'
import { countFree, countPayments, countServers, countTickets, countUsers, sumPayments } from './repo.ts'

export async function readOverview({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<Overview> {
  const [servers, free, users, payments, taken, tickets] = await Promise.all([
    countServers(db),
    countFree(db),
    countUsers(db),
    countPayments(db),
    sumPayments(db),
    countTickets(db, settings.SUPPORT_ANSWER_HOURS),
  ])
  return { at: new Date().toISOString(), servers, free, users, payments: { ...payments, taken }, tickets }
}
