/**
 * A server that its owner has had elsewhere. It costs nothing until its time is over: nothing is charged, so nothing is
 * invoiced, and its hours count as a gift (`sales/services`). Nothing of it is started.
 */
import { randomUUID } from 'node:crypto'
import type { Currency } from '@wakestone/contract/primitives'
import { subdomainSchema } from '@wakestone/contract/validation'
import type { SetLimits } from '@wakestone/contract/servers/parameters'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { quoteCosts } from '#src/features/sales/products/service.ts'
import { createService, listAddOns, lockService, updateService } from '#src/features/sales/services/service.ts'
import { assignDomain, assignGeneratedDomain, requireGoodSubdomain } from '#src/features/servers/domains/service.ts'
import {
  deleteFiles,
  endServer,
  requestReconcile,
  wantStopped,
  writeFlags,
  writeSetLimits,
} from '#src/features/servers/servers/service.ts'
import { handOver, type HandedOver } from './hand-over.ts'

export type Brought = Omit<HandedOver, 'serverId' | 'serviceId' | 'period' | 'testedUntil' | 'executor'> & {
  wallet: { id: string; currency: Currency }
  expires: Date
  /** Beside those of the plan. */
  limits: SetLimits
  /** A name that it would like to have; it gets a generated one where that is taken. */
  subdomain: string
  disabled: boolean
}

const period = '720h'
/** For a game that was never started. */
const stopTimeout = 60

/** @returns ids of server and service, and where players join it */
export async function bringServer(
  context: Pick<Context, 'settings' | 'boss'>,
  trx: Transaction,
  brought: Brought,
): Promise<{ serverId: string; serviceId: string; fqdn: string; bedrockPort: number | null }> {
  const { product, cluster, wallet, ownerId } = brought
  // What is asked is where its owner is taxed: the price itself is only paid with the first renewal.
  const [cost] = await quoteCosts(trx, {
    productId: product.id,
    buyer: { userId: ownerId },
    currency: wallet.currency,
    period,
    clusterId: cluster.id,
  })
  if (cost === undefined) throw new DomainError('no_price_for_parameters', { resource: 'billing_product' })
  const serverId = randomUUID()
  const serviceId = await createService(trx, {
    productId: product.id,
    type: product.type,
    ownerId,
    walletId: wallet.id,
    clusterId: cluster.id,
    period,
    currency: wallet.currency,
    cost: 0,
    grossCost: 0,
    vatRate: cost.country_tax_rate.vat_rate,
    countryCode: cost.country_tax_rate.country_code,
    expires: brought.expires,
  })
  const given = { ...brought, serverId, serviceId, period, testedUntil: null, executor: null } as const
  const address = await handOver(context, trx, given, () => giveName(context, trx, brought, serverId))
  await wantStopped(trx, serverId, { timeout: stopTimeout })
  if (Object.keys(brought.limits).length > 0) await writeSetLimits(trx, serverId, brought.limits)
  if (brought.disabled) await writeFlags(trx, serverId, { disabled: true })
  return { serverId, serviceId, ...address }
}

async function giveName(
  { settings }: Pick<Context, 'settings'>,
  trx: Transaction,
  { ownerId, cluster, subdomain }: Brought,
  serverId: string,
): Promise<string> {
  const domain = { serverId, userId: ownerId, zoneName: cluster.zone_name }
  try {
    if (!subdomainSchema.safeParse(subdomain).success) throw new DomainError('domain_invalid_subdomain')
    requireGoodSubdomain(subdomain, settings)
    return (await assignDomain(trx, { ...domain, subDomain: subdomain })).fqdn
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return (await assignGeneratedDomain(trx, domain)).fqdn
  }
}

/**
 * Takes back a server that nobody has used: its files first, which a worker removes, then the rest.
 * @returns false where its files are still there; to be called again then
 */
export async function takeBroughtServer(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  server: { id: string; service_id: string; volume_removed_at: Date | null },
  now: Date,
): Promise<boolean> {
  if (server.volume_removed_at === null) {
    await deleteFiles(trx, server.id, now)
    await requestReconcile(boss, trx, server.id)
    return false
  }
  const service = await lockService(trx, server.service_id)
  if (service !== undefined)
    for (const { id } of [service, ...(await listAddOns(trx, service.id))])
      await updateService(trx, id, { ended_at: now })
  await endServer(trx, server.id, now)
  return true
}
