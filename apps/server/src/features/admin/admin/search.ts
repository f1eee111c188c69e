/** The administrators' search: one field for whatever a customer or a payment provider names in a letter. */
import type { AdminSearch } from '@wakestone/contract/admin/admin'
import { idSchema } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { listDomainsById, searchDomains } from '#src/features/servers/domains/service.ts'
import { listServers } from '#src/features/servers/servers/service.ts'
import { findAdminUser, searchUsers } from './accounts.ts'
import { listPaymentsById } from './payments.ts'
import {
  selectNames,
  selectServerIdsByError,
  selectServerIdsByNode,
  selectServerIdsByPlayer,
  selectServerIdsByPort,
  selectServerIdsByRelated,
  selectServerIdsByText,
  selectTransactionIdsByOrder,
} from './repo.ts'

const mostOfEach = 10

/**
 * @param wanted an id of any of these, of a service, an event or a process; or a part of a name, an address of the mail
 *   or of a server, an order's id; a server's port, its cluster, a player who was there, an error or a crash.
 */
export async function searchAll(context: Pick<Context, 'db' | 'settings'>, wanted: string): Promise<AdminSearch> {
  const found = idSchema.safeParse(wanted).success
    ? await searchById(context, wanted.toLowerCase())
    : await searchByText(context, wanted)
  const ids = new Set([
    ...found.servers.map(({ owner_id }) => owner_id),
    ...[...found.domains, ...found.transactions].map(({ user_id }) => user_id),
  ])
  return { ...found, owners: ids.size === 0 ? [] : await selectNames(context.db, [...ids]) }
}

type Found = Omit<AdminSearch, 'owners'>

async function searchById(context: Pick<Context, 'db' | 'settings'>, id: string): Promise<Found> {
  const { db } = context
  const [user, related, transactionIds, domains] = await Promise.all([
    findAdminUser(db, id),
    selectServerIdsByRelated(db, id),
    selectTransactionIdsByOrder(db, id, mostOfEach),
    listDomainsById(db, id),
  ])
  return {
    users: user === undefined ? [] : [user],
    servers: await listServers(context, [...new Set([id, ...related])]),
    transactions: await listPaymentsById(db, [id, ...transactionIds]),
    domains: domains.slice(0, mostOfEach),
  }
}

async function searchByText(context: Pick<Context, 'db' | 'settings'>, wanted: string): Promise<Found> {
  const { db } = context
  const text = wanted.toLowerCase()
  const [users, serverIds, transactionIds, domains] = await Promise.all([
    searchUsers(db, text, mostOfEach),
    findServerIds(db, text),
    selectTransactionIdsByOrder(db, wanted, mostOfEach),
    searchDomains(db, text, mostOfEach),
  ])
  // A server is also found by its address.
  const all = [...new Set([...domains.flatMap(({ server_id }) => server_id ?? []), ...serverIds])]
  return {
    users,
    servers: await listServers(context, all.slice(0, mostOfEach)),
    transactions: await listPaymentsById(db, transactionIds),
    domains,
  }
}

/** What fits exactly comes first. @param text in lower case */
async function findServerIds(db: Handle, text: string): Promise<string[]> {
  const port = /^:?(\d{1,5})$/.exec(text)?.[1]
  const found = await Promise.all([
    port === undefined ? [] : selectServerIdsByPort(db, Number(port), mostOfEach),
    /^[a-z_]+$/.test(text) ? selectServerIdsByError(db, text, mostOfEach) : [],
    selectServerIdsByPlayer(db, text, mostOfEach),
    selectServerIdsByText(db, text, mostOfEach),
    selectServerIdsByNode(db, text, mostOfEach),
  ])
  return found.flat()
}
