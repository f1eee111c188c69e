/** Further machines of clusters, their tokens, and whose files they have. */
import type { Selectable } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Agents } from '#src/db/types.gen.ts'

export type AgentRow = Selectable<Agents>

export const selectAgents = (db: Handle): Promise<AgentRow[]> =>
  db.selectFrom('agents').selectAll().orderBy('name').execute()

/** By machine, how many servers have their files there; those that were rescued from it do without. */
export async function countAgentServers(db: Handle): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('agent_servers as home')
    .innerJoin('agents', 'agents.id', 'home.agent_id')
    .select(({ fn }) => ['home.agent_id', fn.countAll<number>().as('servers')])
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('server_moves as move')
            .innerJoin('servers', 'servers.id', 'move.server_id')
            .select('move.operation_id')
            .whereRef('move.server_id', '=', 'home.server_id')
            .whereRef('move.from_cluster', '=', 'agents.cluster_id')
            .whereRef('servers.cluster_id', '!=', 'agents.cluster_id')
            .where('move.abandoned', '=', true)
            .where('move.left_behind', '=', true),
        ),
      ),
    )
    .groupBy('home.agent_id')
    .execute()
  return new Map(rows.map(({ agent_id, servers }) => [agent_id, Number(servers)]))
}

export async function insertAgentToken(
  db: Handle,
  token: { id: string; cluster_id: string; expires_at: Date },
): Promise<void> {
  await db.insertInto('agent_tokens').values(token).execute()
}

export async function deleteOldAgentTokens(db: Handle): Promise<void> {
  await db.deleteFrom('agent_tokens').where('expires_at', '<', new Date()).execute()
}

/** The token, if it is not too old. */
export function lockAgentToken(trx: Transaction, id: string): Promise<{ cluster_id: string } | undefined> {
  return trx
    .selectFrom('agent_tokens')
    .select('cluster_id')
    .where('id', '=', id)
    .where('expires_at', '>', new Date())
    .forUpdate()
    .executeTakeFirst()
}

export const findAgentByToken = (db: Handle, tokenId: string): Promise<AgentRow | undefined> =>
  db.selectFrom('agents').selectAll().where('token_id', '=', tokenId).executeTakeFirst()

/** @returns whether its name was free */
export async function insertAgent(
  trx: Transaction,
  agent: Pick<AgentRow, 'id' | 'cluster_id' | 'token_id' | 'name' | 'host' | 'port' | 'certificate'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('agents')
    .values(agent)
    .onConflict((conflict) => conflict.columns(['cluster_id', 'name']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const lockAgent = (trx: Transaction, id: string): Promise<AgentRow | undefined> =>
  trx.selectFrom('agents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function updateAgent(trx: Transaction, id: string, change: Pick<AgentRow, 'draining'>): Promise<void> {
  await trx.updateTable('agents').set(change).where('id', '=', id).execute()
}

/** With what it had of servers that were rescued from it. */
export async function deleteAgent(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('agent_servers').where('agent_id', '=', id).execute()
  await trx.deleteFrom('agents').where('id', '=', id).execute()
}

type Home = { server_id: string; cluster_id: string }

export async function findAgentOfServer(db: Handle, home: Home): Promise<string | undefined> {
  const row = await db
    .selectFrom('agent_servers')
    .select('agent_id')
    .where('server_id', '=', home.server_id)
    .where('cluster_id', '=', home.cluster_id)
    .executeTakeFirst()
  return row?.agent_id
}

/** One that it has already stays. */
export async function insertAgentOfServer(db: Handle, home: Home & { agent_id: string }): Promise<void> {
  await db
    .insertInto('agent_servers')
    .values(home)
    .onConflict((conflict) => conflict.columns(['server_id', 'cluster_id']).doNothing())
    .execute()
}

export async function deleteAgentOfServer(db: Handle, home: Home): Promise<void> {
  await db
    .deleteFrom('agent_servers')
    .where('server_id', '=', home.server_id)
    .where('cluster_id', '=', home.cluster_id)
    .execute()
}
