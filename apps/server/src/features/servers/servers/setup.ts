/** What servers run: engine, version and the plan that brings them. */
import { gameVersionOf } from '@wakestone/packager/game-version'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Handle, Transaction } from '#src/db/client.ts'

/** What a server runs, all of it. */
export type Setup = { engine: string; version: string; plan: InstallPlan }

export async function findSetup(db: Handle, serverId: string): Promise<Setup> {
  const row = await db
    .selectFrom('servers')
    .innerJoin('server_plans', 'server_plans.server_id', 'servers.id')
    .select(['engine', 'engine_version', 'plan'])
    .where('servers.id', '=', serverId)
    .executeTakeFirstOrThrow()
  return { engine: row.engine, version: row.engine_version, plan: row.plan as InstallPlan }
}

export async function writeSetup(trx: Transaction, serverId: string, { engine, version, plan }: Setup): Promise<void> {
  await trx
    .updateTable('server_plans')
    .set({ plan: JSON.stringify(plan) })
    .where('server_id', '=', serverId)
    .execute()
  await trx
    .updateTable('servers')
    .set({
      engine,
      engine_version: version,
      game_version: gameVersionOf(plan.packages),
      plan_hash: plan.hash,
      preparation_error: null,
      retry_at: null,
    })
    .where('id', '=', serverId)
    .execute()
}
