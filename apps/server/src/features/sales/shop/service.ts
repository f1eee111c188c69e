/** A server's shop as its owner keeps it. What players do in it: `front.ts`; what becomes of orders: `orders.ts`. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { findInItem } from '@wakestone/contract/sales/shop-rules'
import {
  type Shop,
  type shopCategoriesBody,
  type shopCouponBody,
  type ShopDelivery,
  type shopGoalBody,
  type ShopItem,
  type ShopItemBody,
  shopLimits,
  type ShopOrder,
  type ShopOrderState,
  type shopPictureSchema,
  type ShopSettings,
} from '@wakestone/contract/sales/shop'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import { redraw } from '#src/adapters/inspector/redraw.ts'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requestRefund } from '#src/features/money/refunds/service.ts'
import { lockServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import * as deliveries from './deliveries-repo.ts'
import * as orders from './orders-repo.ts'
import * as pictures from './pictures-repo.ts'
import * as repo from './repo.ts'

export { takeMoneyReturned, takeReturnUndone, takeSalePaid } from './orders.ts'
export { forgetBuyers } from './orders-repo.ts'
export { findPicture } from './pictures-repo.ts'
export { beginShops } from './worker.ts'

type Deps = Pick<Context, 'db' | 'settings'>
type By = { server: ServerRow; userId: string }

export const shopPath = ({ id, domains }: Pick<ServerRow, 'id' | 'domains'>) =>
  `/shop/${(domains.find(({ kind }) => kind === 'primary') ?? domains[0])?.sub_domain ?? id}`

export async function showShop({ db, settings }: Deps, server: ServerRow): Promise<Shop> {
  const [shop, categories, items, coupons, goals, held] = await Promise.all([
    repo.findShop(db, server.id),
    repo.selectCategories(db, server.id),
    repo.selectItems(db, server.id),
    repo.selectCoupons(db, server.id),
    repo.selectGoals(db, server.id),
    orders.sumHeld(db, server.id),
  ])
  const currency = (shop?.currency ?? 'PLN') as Shop['currency']
  return {
    open: shop?.open ?? false,
    title: shop?.title ?? server.name,
    intro: shop?.intro ?? '',
    picture: shop?.picture ?? '',
    currency,
    seller: (shop?.seller as Shop['seller'] | undefined) ?? { name: '', address: '', email: '', tax_id: '' },
    rules_confirmed: shop?.rules_confirmed_at != null,
    categories: categories.map(({ id, name }) => ({ id, name })),
    items: items.map(describeItem),
    coupons: coupons.map(({ id, code, percent, amount, item_id, minimum, uses, per_player, until, used }) => ({
      id,
      code,
      percent,
      amount,
      item_id,
      minimum,
      uses,
      per_player,
      used,
      until: until?.toISOString() ?? null,
    })),
    goals: goals.map(describeGoal),
    share_percent: settings.SHOP_SHARE_PERCENT,
    hold_days: settings.SHOP_HOLD_DAYS,
    held: { amount: held, currency },
    path: shopPath(server),
  }
}

export const describeGoal = ({
  id,
  title,
  target,
  reached,
  reached_at,
}: Awaited<ReturnType<typeof repo.selectGoals>>[number]) => ({
  id,
  title,
  target,
  reached: Number(reached),
  reached_at: reached_at?.toISOString() ?? null,
})

function describeItem(row: repo.ItemRow & { sold: number }): ShopItem {
  const { id, name, description, picture, category_id, price, days, per_player, overall, giftable, active, sold } = row
  const commands = row.commands as ShopItem['commands']
  return {
    id,
    name,
    description,
    picture: picture ?? '',
    category_id,
    price,
    days,
    per_player,
    overall,
    giftable,
    active,
    sold,
    commands,
    variables: row.variables as ShopItem['variables'],
    confirmed: row.confirmed as ShopItem['confirmed'],
    findings: findInItem({ name, description, commands }),
  }
}

/** Who sells is the server's owner, and nobody with whom it is shared. @throws DomainError `access_denied` */
function requireOwner({ server, userId }: By): void {
  if (server.owner_id !== userId) throw new DomainError('access_denied')
}

/** @throws DomainError as the contract lists them. */
export async function changeShop(deps: Deps, by: By, body: ShopSettings): Promise<Shop> {
  const { server, userId } = by
  requireOwner(by)
  const { name, address, email } = body.seller
  if (body.open && !body.rules_confirmed) throw new DomainError('shop_rules_not_confirmed', { findings: '' })
  const missing = Object.entries({ name, address, email }).flatMap(([field, value]) => (value === '' ? [field] : []))
  if (body.open && missing.length > 0) throw new DomainError('shop_seller_missing', { missing: missing.join(' ') })
  const introHtml = await render(body.intro, 'intro')
  await edit(deps, by, async (trx, shop) => {
    await requirePicture(trx, server.id, body.picture)
    if (shop.currency !== body.currency && (await repo.hasOrders(trx, server.id)))
      throw new DomainError('shop_currency_fixed')
    await repo.updateShop(trx, server.id, { settings: body, introHtml, confirmedBy: userId, now: new Date() })
  })
  return showShop(deps, server)
}

export async function changeCategories(
  deps: Deps,
  by: By,
  { categories }: z.output<typeof shopCategoriesBody>,
): Promise<Shop> {
  await edit(deps, by, async (trx) => {
    const known = new Set((await repo.selectCategories(trx, by.server.id)).map(({ id }) => id))
    if (categories.some(({ id }) => id !== null && !known.has(id))) throw notFound()
    await repo.writeCategories(trx, by.server.id, categories)
  })
  return showShop(deps, by.server)
}

const notFound = () => new DomainError('resource_not_found')

/** @throws DomainError `invalid_request` for what cannot be read in time. */
async function render(markdown: string, field: string): Promise<string> {
  const html = await renderAuthorMarkdown(markdown)
  if (html === undefined) throw new DomainError('invalid_request', { [field]: 'markdown' })
  return html
}

async function requirePicture(trx: Transaction, serverId: string, name: string): Promise<void> {
  if (name !== '' && (await pictures.findPicture(trx, serverId, name)) === undefined) throw notFound()
}

/** @throws DomainError `invalid_file`, `shop_is_full`, `invalid_request` for other fields. */
export async function addPicture(
  deps: Deps & Pick<Context, 'fleet' | 'logger'>,
  by: By,
  [file, ...others]: readonly { field: string; path: string }[],
): Promise<z.output<typeof shopPictureSchema>> {
  if (file === undefined || others.length > 0 || file.field !== 'picture')
    throw new DomainError('invalid_request', { picture: 'required' })
  const { id: serverId } = by.server
  // Beside what was sent, and gone with it.
  const drawn = await redraw(
    { cluster: deps.fleet.cluster, logger: deps.logger },
    { file: file.path, as: 'thumbnail', outFolder: `${file.path}-drawn`, most: shopLimits.pictureBytes },
  )
  if (drawn === undefined || drawn.width === null || drawn.height === null)
    throw new DomainError('invalid_file', { resource: 'file', file: 'picture' })
  const { content, digest, width, height } = drawn
  const picture = { name: `${digest}.webp`, width, height, bytes: content.length }
  await edit(deps, by, async (trx) => {
    await pictures.dropUnused(trx, serverId)
    await pictures.insertPicture(trx, serverId, { ...picture, content })
    if ((await pictures.countPictures(trx, serverId)) > shopLimits.pictures)
      throw new DomainError('shop_is_full', { limit: shopLimits.pictures })
  })
  return { ...picture, url: shopPictureUrl(serverId, picture.name) }
}

/** @param itemId null: a new one */
export async function saveItem(deps: Deps, by: By, itemId: string | null, body: ShopItemBody): Promise<Shop> {
  const { id: serverId } = by.server
  const findings = findInItem(body).filter((finding) => !body.confirmed.includes(finding))
  if (findings.length > 0) throw new DomainError('shop_rules_not_confirmed', { findings: findings.join(' ') })
  const item = { ...body, html: await render(body.description, 'description') }
  await edit(deps, by, async (trx) => {
    await requirePicture(trx, serverId, body.picture)
    const categories = await repo.selectCategories(trx, serverId)
    if (body.category_id !== null && !categories.some(({ id }) => id === body.category_id)) throw notFound()
    if (itemId === null) {
      if ((await repo.selectItems(trx, serverId)).length >= shopLimits.items)
        throw new DomainError('shop_is_full', { limit: shopLimits.items })
      await repo.insertItem(trx, serverId, item)
    } else if (!(await repo.updateItem(trx, serverId, itemId, item))) throw notFound()
  })
  return showShop(deps, by.server)
}

export async function saveCoupon(deps: Deps, by: By, body: z.output<typeof shopCouponBody>): Promise<Shop> {
  const { id: serverId } = by.server
  await edit(deps, by, async (trx) => {
    if (body.item_id !== null && (await repo.findItem(trx, serverId, body.item_id)) === undefined) throw notFound()
    if ((await repo.selectCoupons(trx, serverId)).length >= shopLimits.coupons)
      throw new DomainError('shop_is_full', { limit: shopLimits.coupons })
    const until = body.until === null ? null : new Date(body.until)
    if (!(await repo.insertCoupon(trx, { ...body, until, server_id: serverId })))
      throw new DomainError('resource_already_exists')
  })
  return showShop(deps, by.server)
}

export async function saveGoal(deps: Deps, by: By, body: z.output<typeof shopGoalBody>): Promise<Shop> {
  const { id: serverId } = by.server
  await edit(deps, by, async (trx) => {
    if ((await repo.selectGoals(trx, serverId)).length >= shopLimits.goals)
      throw new DomainError('shop_is_full', { limit: shopLimits.goals })
    await repo.insertGoal(trx, { serverId, ...body })
  })
  return showShop(deps, by.server)
}

export async function removeThing(
  deps: Deps,
  by: By,
  { table, id }: { table: Parameters<typeof repo.removeFrom>[1]; id: string },
): Promise<void> {
  await edit(deps, by, async (trx) => {
    if (!(await repo.removeFrom(trx, table, { serverId: by.server.id, id, now: new Date() }))) throw notFound()
  })
}

/** One change at a time of a shop, which then is there. */
async function edit(
  { db }: Deps,
  { server, userId }: By,
  change: (trx: Transaction, shop: repo.ShopRow) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockServer(trx, server.id)
    const shop = await repo.ensureShop(trx, { serverId: server.id, title: server.name, currency: 'PLN' })
    await change(trx, shop)
    await recordServerEvent(trx, server.id, { action: 'SERVER_SHOP_EDIT', data: { executor: userId } })
  })
}

export const stateOf = ({ paid_at, return_kind, status, amount }: orders.ListedOrder): ShopOrderState => {
  if (return_kind !== null) return return_kind === 'chargeback' ? 'charged_back' : 'refunded'
  if (paid_at !== null) return 'paid'
  return amount > 0 && (status === 'FAILED' || status === 'CANCELLED') ? 'failed' : 'waiting'
}

export async function listOrders(
  db: Handle,
  serverId: string,
  page: { after?: string | undefined; limit: number },
): Promise<{ data: ShopOrder[]; count: number }> {
  const { rows, count } = await orders.selectOrders(db, serverId, { after: page.after, limit: page.limit })
  return { count, data: rows.map(describeOrder) }
}

function describeOrder(row: orders.ListedOrder): ShopOrder {
  const { id, quantity, player, giver, coupon, currency, amount, refunded, deliveries: all, delivered, trouble } = row
  return {
    id,
    quantity,
    player,
    giver,
    coupon,
    delivered,
    trouble,
    item: (row.item as { name: string }).name,
    total: { amount, currency },
    refunded: { amount: refunded, currency },
    state: stateOf(row),
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
    deliveries: all,
  }
}

/** @throws DomainError as the contract lists them. */
export async function refundOrder(
  { db, boss }: Pick<Context, 'db' | 'boss'>,
  gateways: Gateways,
  { server, userId, orderId, reason }: By & { orderId: string; reason: string },
): Promise<void> {
  requireOwner({ server, userId })
  const order = await orders.findOrder(db, orderId)
  if (order === undefined || order.server_id !== server.id || order.transaction_id === null) throw notFound()
  await requestRefund({ db, boss }, gateways, {
    actor: { user_id: userId, username: server.owner_name },
    depositId: order.transaction_id,
    body: { amount: order.amount - order.refunded || order.amount, reason },
    key: `shop-refund-${orderId}-${order.refunded}`,
    now: new Date(),
  })
}

export async function listDeliveries(
  db: Handle,
  serverId: string,
  {
    order_id: orderId,
    ...page
  }: { after?: string | undefined; limit: number; open: boolean; order_id?: string | undefined },
): Promise<{ data: ShopDelivery[]; count: number }> {
  const { rows, count } = await deliveries.selectDeliveries(db, serverId, { ...page, orderId })
  return { count, data: rows.map(describeDelivery) }
}

function describeDelivery(row: deliveries.ListedDelivery): ShopDelivery {
  const { id, order_id, about, player, stage, number, command, attempts, said } = row
  const state = row.state as ShopDelivery['state']
  const waitsFor = row.phase !== 'running' ? 'server_down' : row.needs_player && !row.is_on ? 'player_away' : null
  return {
    id,
    order_id,
    about,
    player,
    stage,
    number,
    command,
    state,
    attempts,
    said,
    problem: row.problem ?? (state === 'waiting' ? waitsFor : null),
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
  }
}

const outcomes = { again: 'waiting', arrived: 'confirmed', dropped: 'dropped' } as const

/** @throws DomainError `resource_not_found`; `delivery_is_under_way`, also where it has arrived; `shop_order_given_back` */
export async function settleDelivery(
  { db }: Pick<Context, 'db'>,
  { server, userId }: By,
  { id, outcome }: { id: string; outcome: keyof typeof outcomes },
): Promise<ShopDelivery> {
  return inTransaction(db, async (trx) => {
    const row = await deliveries.lockDelivery(trx, server.id, id)
    if (row === undefined) throw notFound()
    if (['leased', 'sent', 'confirmed'].includes(row.state))
      throw new DomainError('delivery_is_under_way', { state: row.state })
    if (outcome === 'again' && row.problem === 'given_back') throw new DomainError('shop_order_given_back')
    await deliveries.settle(trx, id, { state: outcomes[outcome], now: new Date() })
    await recordServerEvent(trx, server.id, { action: 'SERVER_SHOP_EDIT', data: { executor: userId } })
    const settled = await deliveries.findListed(trx, server.id, id)
    if (settled === undefined) throw new Error('a delivery vanished')
    return describeDelivery(settled)
  })
}
