import type { z } from 'zod'
import type { ListedPayment, listPaymentsQuery } from '@wakestone/contract/admin/admin'
import { idSchema } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { listTransactionsById } from '#src/features/money/statements/service.ts'
import { searchUsers } from './accounts.ts'
import { selectPaymentFacts, selectPaymentIds, selectServiceIdOfServer, type WantedPayments } from './payments-repo.ts'
import { selectTransactionIdsByOrder } from './repo.ts'

/** Of users whose name holds a text, and of orders, only so many are looked at. */
const mostLookedAt = 100

/** Payments of everybody, newest first. */
export async function listPayments(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { q, ...wanted }: z.output<typeof listPaymentsQuery> & { after?: string | undefined; limit: number },
): Promise<{ data: ListedPayment[]; count: number }> {
  const { ids, count } = await selectPaymentIds(db, {
    ...wanted,
    timeZone: settings.SELLER_TIME_ZONE,
    who: q === undefined ? undefined : await findWhose(db, q),
  })
  if (ids.length === 0) return { data: [], count }
  const [transactions, facts] = await Promise.all([listTransactionsById(db, ids), selectPaymentFacts(db, ids)])
  const data = ids.flatMap((id) => {
    const transaction = transactions.find((one) => one.id === id)
    const fact = facts.find((one) => one.id === id)
    if (transaction === undefined || fact === undefined) return []
    const { username, server_id: serverId, server_name: name, failure } = fact
    return { ...transaction, username, failure, server: serverId === null ? null : { id: serverId, name: name ?? '' } }
  })
  return { data, count }
}

async function findWhose(db: Handle, q: string): Promise<WantedPayments['who']> {
  const isId = idSchema.safeParse(q).success
  const [users, orders, serviceIds] = await Promise.all([
    searchUsers(db, q, mostLookedAt),
    selectTransactionIdsByOrder(db, q, mostLookedAt),
    isId ? selectServiceIdOfServer(db, q) : [],
  ])
  return {
    userIds: [...users.map(({ id }) => id), ...(isId ? [q] : [])],
    transactionIds: [...orders, ...(isId ? [q] : [])],
    serviceIds,
  }
}
