/** The administrators' search: one field for whatever a customer or a payment provider names in a letter. */
import type { AdminSearch } from '@wakestone/contract/admin/admin'
import { idSchema } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { listDomainsById, searchDomains } from '#src/features/servers/domains/service.ts'
import { listServers } from '#src/features/servers/servers/service.ts'
import { listTransactionsById } from '#src/features/money/statements/service.ts'
import { findAdminUser, searchUsers } from './accounts.ts'
import { selectServerIdsByText, selectTransactionIdsByOrder } from './repo.ts'

const mostOfEach = 10

/** @param wanted an id of any of these, or a part of a name, an address of the mail or of a server, an order's id. */
export async function searchAll(context: Pick<Context, 'db' | 'settings'>, wanted: string): Promise<AdminSearch> {
  return idSchema.safeParse(wanted).success ? searchById(context, wanted.toLowerCase()) : searchByText(context, wanted)
}

async function searchById(context: Pick<Context, 'db' | 'settings'>, id: string): Promise<AdminSearch> {
  const { db } = context
  const [user, servers, transactionIds, domains] = await Promise.all([
    findAdminUser(db, id),
    listServers(context, [id]),
    selectTransactionIdsByOrder(db, id, mostOfEach),
    listDomainsById(db, id),
  ])
  return {
    users: user === undefined ? [] : [user],
    servers,
    transactions: await listTransactionsById(db, [id, ...transactionIds]),
    domains: domains.slice(0, mostOfEach),
  }
}

async function searchByText(context: Pick<Context, 'db' | 'settings'>, wanted: string): Promise<AdminSearch> {
  const { db } = context
  const text = wanted.toLowerCase()
  const [users, serverIds, transactionIds, domains] = await Promise.all([
    searchUsers(db, text, mostOfEach),
    selectServerIdsByText(db, text, mostOfEach),
    selectTransactionIdsByOrder(db, wanted, mostOfEach),
    searchDomains(db, text, mostOfEach),
  ])
  // A server is also found by its address.
  const all = [...new Set([...domains.flatMap(({ server_id }) => server_id ?? []), ...serverIds])]
  return {
    users,
    servers: await listServers(context, all.slice(0, mostOfEach)),
    transactions: await listTransactionsById(db, transactionIds),
    domains,
  }
}
