import type { z } from 'zod'
import type { AdminTransaction, ListedPayment, listPaymentsQuery } from '@wakestone/contract/admin/admin'
import { idSchema } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { listTransactionsById, listTransactionsOfUser } from '#src/features/money/statements/service.ts'
import { searchUsers } from './accounts.ts'
import {
  selectPaymentFacts,
  selectPaymentIds,
  selectReturned,
  selectServiceIdOfServer,
  type WantedPayments,
} from './payments-repo.ts'
import { selectTransactionIdsByOrder } from './repo.ts'

/** Of users whose name holds a text, and of orders, only so many are looked at. */
const mostLookedAt = 100

type OwnedTransaction = Awaited<ReturnType<typeof listTransactionsById>>[number]

/** Adds how much of each was refunded. */
async function withReturns(db: Handle, transactions: readonly OwnedTransaction[]): Promise<AdminTransaction[]> {
  const ids = transactions.map(({ id }) => id)
  if (ids.length === 0) return []
  const returned = await selectReturned(db, ids)
  return transactions.map((transaction) => ({
    ...transaction,
    returned: returned.find(({ deposit_id }) => deposit_id === transaction.id)?.amount ?? 0,
  }))
}

/** These payments, newest first; what does not exist is left out. */
export async function listPaymentsById(db: Handle, ids: readonly string[]): Promise<AdminTransaction[]> {
  return withReturns(db, await listTransactionsById(db, ids))
}

/** Payments of a user on all wallets, newest first. */
export async function listPaymentsOfUser(
  db: Handle,
  userId: string,
  page: { after?: string | undefined; limit: number },
): Promise<{ data: AdminTransaction[]; count: number }> {
  const { data, count } = await listTransactionsOfUser(db, userId, page)
  return { data: await withReturns(db, data), count }
}

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
  const [transactions, facts] = await Promise.all([listPaymentsById(db, ids), selectPaymentFacts(db, ids)])
  const data = ids.flatMap((id) => {
    const transaction = transactions.find((one) => one.id === id)
    const fact = facts.find((one) => one.id === id)
    if (transaction === undefined || fact === undefined) return []
    const { username, server_id: serverId, server_name: name, failure, order_id: orderId, player, email } = fact
    return {
      ...transaction,
      username,
      failure,
      server: serverId === null ? null : { id: serverId, name: name ?? '' },
      sale: orderId === null ? null : { order_id: orderId, item: fact.item ?? '', player: player ?? '', email },
    }
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
