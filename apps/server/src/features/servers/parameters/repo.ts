import type { OwnSleep } from '@wakestone/contract/servers/parameters'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Transaction } from '#src/db/client.ts'

export type ChangedParameters = {
  name?: string | undefined
  description?: string | undefined
  language?: string | undefined
  sleep?: OwnSleep | undefined
  start_flags?: string[] | undefined
}

export async function writeParameters(
  trx: Transaction,
  serverId: string,
  { name, description, language, sleep, start_flags }: ChangedParameters,
): Promise<void> {
  const set = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(sleep !== undefined && { own_sleep: JSON.stringify(sleep) }),
    ...(start_flags !== undefined && { start_flags }),
  }
  if (Object.keys(set).length > 0) await trx.updateTable('servers').set(set).where('id', '=', serverId).execute()
}

export async function findPlan(trx: Transaction, serverId: string): Promise<InstallPlan | undefined> {
  const row = await trx.selectFrom('server_plans').select('plan').where('server_id', '=', serverId).executeTakeFirst()
  return row?.plan as InstallPlan | undefined
}

export async function writePlan(trx: Transaction, serverId: string, plan: InstallPlan): Promise<void> {
  await trx
    .updateTable('server_plans')
    .set({ plan: JSON.stringify(plan) })
    .where('server_id', '=', serverId)
    .execute()
  await trx.updateTable('servers').set({ plan_hash: plan.hash }).where('id', '=', serverId).execute()
}
