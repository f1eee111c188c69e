/**
 * Renting a server: charge, service, server, address and job are one transaction. All of it happens, or nothing.
 */
import { randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { freeRenewalDays } from '@wakestone/contract/sales/service'
import { type CreateServerBody, gameOfEngine } from '@wakestone/contract/servers/server'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import { type ClusterRow, requireAllWays, requireOpenCluster } from '#src/features/servers/clusters/service.ts'
import { assignDomain, assignGeneratedDomain, requireGoodSubdomain } from '#src/features/servers/domains/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { type ProductRow, requireServerProduct } from '#src/features/sales/products/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { requirePlace } from '#src/features/servers/free-places/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { claimPurchase, findPurchase, isEmailVerified } from './repo.ts'
import { joinAddress, trialRemoval } from '#src/features/servers/servers/service.ts'
import { buyService } from './buy.ts'
import { handOver } from './hand-over.ts'
import type { OrderVouchers } from './purchase-vouchers.ts'

const freeProduct = 'FREE'

type Order = {
  user: Principal
  body: CreateServerBody
  product: ProductRow
  cluster: ClusterRow
  plan: InstallPlan
  key: string | undefined
  requestHash: Buffer
  vouchers: OrderVouchers
  now: Date
}

/**
 * Rents a server.
 * @returns id of the server; the same one when the same key and body come again.
 */
export async function purchaseServer(
  context: Context & { engines: EngineCatalogue },
  {
    user,
    body,
    key,
    voucher,
    now,
  }: {
    user: Principal
    body: CreateServerBody
    key: string | undefined
    /** Pays for the server, and says how long it lasts. */
    voucher?: string
    now: Date
  },
): Promise<string> {
  const { db } = context
  if (!user.emailVerified && !(await isEmailVerified(db, user.userId))) throw new DomainError('email_not_verified')
  const requestHash = hashRequest({ ...body, voucher })
  const known = key === undefined ? undefined : await findPurchase(db, { userId: user.userId, key })
  if (known !== undefined) return sameAsBefore(known, requestHash)

  const [product, cluster] = await Promise.all([
    requireBoughtProduct(db, body),
    requireOpenCluster(db, body.cluster_id, user.capabilities),
  ])
  if (product.id !== freeProduct) requireGoodSubdomain(body.subdomain ?? '', context.settings)
  if (body.game !== undefined && body.game !== gameOfEngine[body.engine])
    throw new DomainError('engine_version_not_found', { engine: body.engine, version: body.engine_version })
  if (gameOfEngine[body.engine] === 'minecraft-bedrock') requireAllWays(cluster)
  const plan = await context.engines.resolveEngine({
    engine: body.engine,
    version: body.engine_version,
    serverName: body.name,
    players: product.parameters.players,
  })
  const vouchers = { codes: voucher === undefined ? (body.vouchers ?? []) : [voucher], alone: voucher !== undefined }
  const order = { user, body, product, cluster, plan, key, requestHash, vouchers, now }
  try {
    return await inTransaction(db, (trx) => buy(context, trx, order))
  } catch (error) {
    throw isSecondFreeServer(error) ? new DomainError('user_already_has_free_server') : error
  }
}

async function buy(context: Context, trx: Transaction, order: Order): Promise<string> {
  const { user, body, product, cluster, key, requestHash, now } = order
  let serverId: string = randomUUID()
  if (key !== undefined) {
    const claim = await claimPurchase(trx, { userId: user.userId, key, requestHash, kind: 'server' })
    if (!claim.isNew) return sameAsBefore(claim, requestHash)
    serverId = claim.rentedId
  }
  const { serviceId, expires, isTrial, confirmation } = await buyService(context, trx, {
    ...order,
    game: { game: gameOfEngine[body.engine], engine: body.engine },
    rented: { server_id: serverId },
  })
  const { fqdn, bedrockPort } = await handOver(
    context,
    trx,
    {
      serverId,
      serviceId,
      ownerId: user.userId,
      name: body.name,
      engine: body.engine,
      engineVersion: body.engine_version,
      language: body.language,
      product,
      cluster,
      plan: order.plan,
      period: body.billing_period,
      testedUntil: isTrial ? trialRemoval(expires, context.settings) : null,
      executor: user.userId,
    },
    () => giveAddress(trx, order, serverId),
  )
  const placed = { id: serverId, owner_id: user.userId, cluster_id: cluster.id, product_id: product.id }
  await requirePlace(trx, placed, { settings: context.settings, now })
  await notify(trx, {
    userId: user.userId,
    kind: 'SERVER_CREATED',
    fields: {
      server: body.name,
      address: joinAddress(fqdn, context.settings, bedrockPort, context.settings.PDNS_URL !== undefined),
      product: product.id,
      ...(product.id === freeProduct ? describeFree(context, expires) : confirmation),
    },
    resource: { type: 'server', id: serverId },
  })
  return serverId
}

const describeFree = ({ settings }: Pick<Context, 'settings'>, expires: Date) => ({
  free_until: expires.toISOString(),
  day_hours: settings.FREE_DAY_HOURS,
  session_hours: settings.FREE_SESSION_HOURS,
  renew_days: freeRenewalDays,
})

function sameAsBefore(known: { rentedId: string; requestHash: Buffer }, requestHash: Buffer): string {
  requireSameRequest(known.requestHash, requestHash)
  return known.rentedId
}

/** One base product; add-ons are not on sale yet. */
async function requireBoughtProduct(
  db: Db,
  { requested_billing_services: [base, ...more] }: CreateServerBody,
): Promise<ProductRow> {
  if (more.length > 0) throw new DomainError('product_not_available', { resource: 'billing_product' })
  return requireServerProduct(db, base ?? '')
}

/** Free plans get a generated name; paid ones the one that was asked for. @returns the host name. */
async function giveAddress(
  trx: Transaction,
  { user, body, product, cluster }: Order,
  serverId: string,
): Promise<string> {
  const domain = { serverId, userId: user.userId, zoneName: cluster.zone_name }
  const { fqdn } =
    product.id === freeProduct
      ? await assignGeneratedDomain(trx, domain)
      : await assignDomain(trx, { ...domain, subDomain: body.subdomain ?? '' })
  return fqdn
}

function isSecondFreeServer(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'services_one_free_server'
}
