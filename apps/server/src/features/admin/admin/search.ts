/** The administrators' search: one field for whatever a customer or a payment provider names in a letter. */
import type { AdminSearch, ServerMatch } from '@wakestone/contract/admin/admin'
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
    servers: await showServers(context, [
      { id, by: 'id' },
      ...related.map((one) => ({ id: one, by: 'related' as const })),
    ]),
    transactions: await listPaymentsById(db, [id, ...transactionIds]),
    domains: domains.slice(0, mostOfEach),
  }
}

async function searchByText(context: Pick<Context, 'db' | 'settings'>, wanted: string): Promise<Found> {
  const { db } = context
  const text = wanted.toLowerCase()
  const [users, matches, transactionIds, domains] = await Promise.all([
    searchUsers(db, text, mostOfEach),
    matchServers(db, text),
    selectTransactionIdsByOrder(db, wanted, mostOfEach),
    searchDomains(db, text, mostOfEach),
  ])
  // A server is also found by its address.
  const addressed = domains.flatMap(({ server_id: id }): Match[] => (id === null ? [] : [{ id, by: 'address' }]))
  return {
    users,
    servers: await showServers(context, [...addressed, ...matches]),
    transactions: await listPaymentsById(db, transactionIds),
    domains,
  }
}

type Match = { id: string; by: ServerMatch }

/** Each once, with all that has led to it. */
async function showServers(
  context: Pick<Context, 'db' | 'settings'>,
  matches: readonly Match[],
): Promise<AdminSearch['servers']> {
  const by = Map.groupBy(matches, ({ id }) => id)
  const servers = await listServers(context, [...by.keys()].slice(0, mostOfEach))
  return servers.map((server) => ({ ...server, matches: [...new Set(by.get(server.id)?.map((one) => one.by))] }))
}

/** What fits exactly comes first. @param text in lower case */
async function matchServers(db: Handle, text: string): Promise<Match[]> {
  const port = /^:?(\d{1,5})$/.exec(text)?.[1]
  const by = async (one: ServerMatch, ids: Promise<string[]>) => (await ids).map((id): Match => ({ id, by: one }))
  const found = await Promise.all([
    port === undefined ? [] : by('port', selectServerIdsByPort(db, Number(port), mostOfEach)),
    /^[a-z_]+$/.test(text) ? by('error', selectServerIdsByError(db, text, mostOfEach)) : [],
    by('player', selectServerIdsByPlayer(db, text, mostOfEach)),
    by('name', selectServerIdsByText(db, text, mostOfEach)),
    by('cluster', selectServerIdsByNode(db, text, mostOfEach)),
  ])
  return found.flat()
}
