/** A server comes to be, whoever has paid for it and how: in the transaction that makes its service. */
import { ownerCapabilities } from '@wakestone/contract/capabilities'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import { type EngineId, gameOfEngine } from '@wakestone/contract/servers/server'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import type { ClusterRow } from '#src/features/servers/clusters/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { beginPreparation } from '#src/features/servers/operations/service.ts'
import type { ProductRow } from '#src/features/sales/products/service.ts'
import { giveBedrockPort, grantServer, insertServer, requestReconcile } from '#src/features/servers/servers/service.ts'

export type HandedOver = {
  serverId: string
  serviceId: string
  ownerId: string
  name: string
  engine: EngineId
  engineVersion: string
  language: string
  product: ProductRow
  cluster: ClusterRow
  plan: InstallPlan
  period: BillingPeriod
  /** When a trial server is removed, unless it is bought; null: it is none. */
  testedUntil: Date | null
  /** Who has asked for it; null: nobody of those who sign in. */
  executor: string | null
}

/**
 * @param giveAddress gives it its name
 * @returns host name, and the port of a server of Bedrock Edition
 */
export async function handOver(
  { settings, boss }: Pick<Context, 'settings' | 'boss'>,
  trx: Transaction,
  given: HandedOver,
  giveAddress: () => Promise<string>,
): Promise<{ fqdn: string; bedrockPort: number | null }> {
  const { serverId, ownerId, engine, executor } = given
  await insertServer(trx, {
    id: serverId,
    serviceId: given.serviceId,
    ownerId,
    clusterId: given.cluster.id,
    name: given.name,
    game: gameOfEngine[engine],
    engine,
    engineVersion: given.engineVersion,
    language: given.language,
    limits: given.product.parameters,
    plan: given.plan,
    testedUntil: given.testedUntil,
  })
  const fqdn = await giveAddress()
  const bedrockPort =
    gameOfEngine[engine] === 'minecraft-bedrock' ? await giveBedrockPort(trx, serverId, settings) : null
  for (const name of Object.keys(ownerCapabilities)) await grantServer(trx, { serverId, userId: ownerId, name })
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_PREPARE',
    data: {
      ...(executor !== null && { executor }),
      product_id: given.product.id,
      billing_period: given.period,
      engine,
      engine_version: given.engineVersion,
    },
  })
  await beginPreparation(trx, { serverId, userId: executor, setup: { engine, version: given.engineVersion } })
  await requestReconcile(boss, trx, serverId)
  return { fqdn, bedrockPort }
}
