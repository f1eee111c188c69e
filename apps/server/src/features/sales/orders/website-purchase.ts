/** Renting a website: charge, service, website and its name are one transaction. All of it happens, or nothing. */
import { randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { type CreateCraftumBody, websiteProduct } from '@wakestone/contract/sales/craftum'
import { publicUrl, websiteHost, websiteUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { type ProductRow, requireWebsiteProduct } from '#src/features/sales/products/service.ts'
import { requireOpenCluster } from '#src/features/servers/clusters/service.ts'
import { createWebsite } from '#src/features/websites/craftums/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { buyService } from './buy.ts'
import { claimPurchase, findPurchase, isEmailVerified } from './repo.ts'

type Order = { user: Principal; body: CreateCraftumBody; key: string | undefined; now: Date }

/**
 * Rents a website.
 * @returns its id; the same one when the same key and body come again.
 */
export async function purchaseWebsite(context: Context, order: Order): Promise<string> {
  const { user, body, key } = order
  const { db, settings } = context
  if (!user.emailVerified && !(await isEmailVerified(db, user.userId))) throw new DomainError('email_not_verified')
  const requestHash = hashRequest({ craftum: body })
  const known = key === undefined ? undefined : await findPurchase(db, { userId: user.userId, key })
  if (known !== undefined) {
    requireSameRequest(known.requestHash, requestHash)
    return known.rentedId
  }
  // Where no domain leads to them there is nothing to rent.
  if (settings.SITES_DOMAIN.endsWith('.localhost') && !isOnThisMachine(settings))
    throw new DomainError('product_not_available', { resource: 'billing_product' })
  const product = await requireWebsiteProduct(db, websiteProduct)
  return inTransaction(db, (trx) => buy(context, trx, { ...order, product, requestHash }))
}

const isOnThisMachine = (settings: Context['settings']) =>
  /^(localhost|127\.0\.0\.1|.*\.localhost)$/.test(new URL(publicUrl(settings)).hostname)

async function buy(
  context: Context,
  trx: Transaction,
  { user, body, key, product, requestHash, now }: Order & { product: ProductRow; requestHash: Buffer },
): Promise<string> {
  const { userId } = user
  let id: string = randomUUID()
  if (key !== undefined) {
    const claim = await claimPurchase(trx, { userId, key, requestHash, kind: 'website' })
    if (!claim.isNew) {
      requireSameRequest(claim.requestHash, requestHash)
      return claim.rentedId
    }
    id = claim.rentedId
  }
  // Prices are by cluster, and websites are on none: that of the first one that has a price.
  const clusterId = product.prices.find(
    (price) => price.currency === body.currency && price.period === body.billing_period,
  )?.cluster_id
  if (clusterId === undefined)
    throw new DomainError('product_has_no_price_for_selected_currency', { resource: 'billing_product' })
  const { serviceId, expires, confirmation } = await buyService(context, trx, {
    user,
    body,
    product,
    cluster: await requireOpenCluster(trx, clusterId, user.capabilities),
    vouchers: { codes: body.vouchers ?? [], alone: false },
    rented: { craftum_id: id },
    now,
  })
  const { name, subdomain, language } = body
  await createWebsite(trx, { id, serviceId, ownerId: userId, name, subdomain, language })
  const eventId = await recordUserEvent(trx, userId, {
    action: 'USER_WEBSITE_CREATED',
    data: { website_id: id, name, billing_period: body.billing_period, expires: expires.toISOString() },
  })
  await notify(trx, {
    userId,
    kind: 'WEBSITE_CREATED',
    fields: {
      website: name,
      address: websiteUrl(context.settings, websiteHost(context.settings, subdomain)),
      ...confirmation,
    },
    resource: { type: 'craftum', id },
    eventId,
  })
  return id
}
