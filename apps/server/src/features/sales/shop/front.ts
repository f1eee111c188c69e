/** What players do in a shop, who have no account here. */
import { timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import { isPlayerName } from '@wakestone/contract/servers/players'
import type { Game } from '@wakestone/contract/servers/server'
import {
  type OrderPage,
  type ShopCommand,
  type shopOrderBody,
  type shopQuoteBody,
  type ShopQuote,
  type ShopVariable,
} from '@wakestone/contract/sales/shop'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { fillCommand, shopWord } from '@wakestone/contract/sales/shop-command'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { beginSale, completePaypal, createSale, getTransaction } from '#src/features/money/payments/service.ts'
import { findTransaction } from '#src/features/money/statements/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { findPlayed } from '#src/features/servers/players/service.ts'
import { findServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { selectDeliveries } from './deliveries-repo.ts'
import { keyOf, orderPath } from './order-key.ts'
import { markPaid, valuesOf } from './orders.ts'
import * as orders from './orders-repo.ts'
import { describeItem, type OpenShop, requireOpen } from './public-shop.ts'
import * as repo from './repo.ts'
import { shopPath, stateOf } from './service.ts'

const dayMilliseconds = 86_400_000

type Quote = {
  item: repo.ItemRow
  coupon: repo.CouponRow | undefined
  player: { name: string; id: string | null }
  giver: string | null
  chosen: Record<string, string>
  full: number
  total: number
  shown: ShopQuote
}

/** What an order would be now. In a transaction that has locked the item and the coupon, it stays so. */
async function quote(
  db: Transaction,
  { server, shop }: OpenShop,
  body: z.output<typeof shopQuoteBody>,
  now: Date,
): Promise<Quote> {
  const item = await repo.findItem(db, server.id, body.item_id)
  if (item === undefined || !item.active) throw new DomainError('resource_not_found')
  await repo.lockItem(db, item.id)
  const player = await requirePlayed(db, server, body.player)
  const giver = body.giver === '' || body.giver.toLowerCase() === player.name.toLowerCase() ? null : body.giver
  if (giver !== null && !item.giftable) throw new DomainError('shop_gift_refused')
  if (giver !== null && !isPlayerName(server.game as Game, giver))
    throw new DomainError('invalid_request', { giver: 'no_player_name' })
  const chosen = requireChosen(item.variables as ShopVariable[], body.chosen)
  const { quantity } = body
  for (const [limit, who] of [
    [item.overall, null],
    [item.per_player, player.name],
  ] as const) {
    const left = limit === null ? Infinity : limit - (await repo.countSold(db, item.id, who))
    if (quantity > left) throw new DomainError('shop_item_sold_out', { left: Math.max(0, left) })
  }
  requireFillable(item, { server, quantity, player, chosen })
  const full = item.price * quantity
  const coupon = await requireCoupon(db, server.id, { body, item, player: player.name, full, now })
  const discount =
    coupon === undefined ? 0 : Math.min(full, coupon.amount ?? Math.floor((full * coupon.percent!) / 100))
  const { currency } = shop
  const money = (amount: number) => ({ amount, currency })
  const running = item.days === null ? undefined : await findRunning(db, server.id, item.id, player.name, now)
  return {
    item,
    coupon,
    player,
    giver,
    chosen,
    full,
    total: full - discount,
    shown: {
      item: describeItem(item, currency, 0),
      player: player.name,
      quantity,
      full: money(full),
      discount: money(discount),
      total: money(full - discount),
      until:
        item.days === null
          ? null
          : new Date((running ?? now).getTime() + item.days * quantity * dayMilliseconds).toISOString(),
    },
  }
}

const findRunning = async (db: Transaction, server_id: string, item_id: string, player: string, now: Date) =>
  (await orders.lockRunning(db, { server_id, item_id, player }, now))?.ends_at

/** Only who has been on the server can get anything: a mistyped name is found before it is paid for. */
async function requirePlayed(
  db: Handle,
  { id, game }: ServerRow,
  name: string,
): Promise<{ name: string; id: string | null }> {
  if (!isPlayerName(game as Game, name)) throw new DomainError('invalid_request', { player: 'no_player_name' })
  const played = await findPlayed(db, id, name)
  if (played === undefined || !isPlayerName(game as Game, played.name)) throw new DomainError('shop_player_unknown')
  return played
}

function requireChosen(variables: readonly ShopVariable[], given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    variables.map(({ name, choices }) => {
      const value = Object.hasOwn(given, name) ? given[name]! : ''
      if (!shopWord.test(value) || (choices.length > 0 && !choices.includes(value)))
        throw new DomainError('invalid_request', { [`chosen.${name}`]: 'word' })
      return [name, value]
    }),
  )
}

/** What cannot be sent is not sold. */
function requireFillable(
  item: repo.ItemRow,
  {
    server,
    quantity,
    player,
    chosen,
  }: { server: ServerRow; quantity: number; player: { name: string; id: string | null }; chosen: object },
): void {
  const values = valuesOf(
    {
      id: '00000000-0000-0000-0000-000000000000',
      player: player.name,
      player_id: player.id,
      quantity,
      chosen: chosen as never,
    },
    server.game as Game,
  )
  try {
    for (const { command } of item.commands as ShopCommand[]) fillCommand(command, values)
  } catch (error) {
    if (error instanceof RangeError) throw new DomainError('shop_player_unknown')
    throw error
  }
}

async function requireCoupon(
  trx: Transaction,
  serverId: string,
  {
    body,
    item,
    player,
    full,
    now,
  }: { body: z.output<typeof shopQuoteBody>; item: repo.ItemRow; player: string; full: number; now: Date },
): Promise<repo.CouponRow | undefined> {
  if (body.coupon === '') return undefined
  const refuse = (reason: string) => new DomainError('shop_coupon_invalid', { reason })
  const coupon = await repo.findCoupon(trx, serverId, body.coupon)
  if (coupon === undefined) throw refuse('unknown')
  await repo.lockCoupon(trx, coupon.id)
  if (coupon.until !== null && coupon.until <= now) throw refuse('over')
  if (coupon.item_id !== null && coupon.item_id !== item.id) throw refuse('other_item')
  if (full < coupon.minimum) throw refuse('minimum')
  if (coupon.uses !== null && (await repo.countUses(trx, coupon.id, null)) >= coupon.uses) throw refuse('used_up')
  if (coupon.per_player !== null && (await repo.countUses(trx, coupon.id, player)) >= coupon.per_player)
    throw refuse('used_up')
  return coupon
}

/** @throws DomainError as the contract lists them. */
export async function quoteOrder(
  context: Context,
  { name, body, ip }: { name: string; body: z.output<typeof shopQuoteBody>; ip: string },
): Promise<ShopQuote> {
  await requireWithinLimit(context, 'shopQuote', { ip })
  const open = await requireOpen(context.db, name)
  return (await inTransaction(context.db, (trx) => quote(trx, open, body, new Date()))).shown
}

/**
 * Orders, and has the payer sent on. The same key and body again are the same order.
 * @throws DomainError as the contract lists them.
 */
export async function createOrder(
  context: Context,
  gateways: Gateways,
  order: { name: string; body: z.output<typeof shopOrderBody>; ip: string; key: string | undefined },
): Promise<{ id: string; key: string; redirect_url: string | null }> {
  const { name, body, ip, key } = order
  const requestHash = hashRequest(body)
  const open = await requireOpen(context.db, name)
  const known = key === undefined ? undefined : await orders.findOrderByKey(context.db, open.server.id, key)
  if (known === undefined) await requireWithinLimit(context, 'shopOrder', { ip })
  // Whoever pays nothing could have anybody mailed.
  if (known === undefined && body.total === 0) await requireWithinLimit(context, 'mail', { email: body.email })
  const row = known ?? (await storeOrder(context, gateways, open, { ...order, requestHash }))
  if (row.request_hash !== null || key !== undefined) requireSameRequest(row.request_hash, requestHash)
  if (row.transaction_id !== null && body.provider !== null)
    await beginSale(context, gateways, { transactionId: row.transaction_id, provider: body.provider })
  const payment = row.transaction_id === null ? undefined : await findTransaction(context.db, row.transaction_id)
  return { id: row.id, key: keyOf(context, row.id), redirect_url: payment?.redirect_url ?? null }
}

async function storeOrder(
  context: Context,
  gateways: Gateways,
  open: OpenShop,
  {
    body,
    ip,
    key,
    requestHash,
  }: { body: z.output<typeof shopOrderBody>; ip: string; key: string | undefined; requestHash: Buffer },
): Promise<orders.OrderRow> {
  const { db, settings } = context
  const { server, shop } = open
  const now = new Date()
  const wallet = (await listWalletsOf(db, server.owner_id)).find(({ currency }) => currency === shop.currency)
  if (wallet === undefined) throw new Error('an owner without a wallet')
  const made = await inTransaction(db, async (trx) => {
    const quoted = await quote(trx, open, body, now)
    const { item, player, giver, chosen, coupon, full, total } = quoted
    if (total !== body.total) throw new DomainError('shop_price_changed', { total })
    if (total > 0 && body.provider === null) throw new DomainError('unsupported_payment_method')
    const id = await orders.newOrderId(trx)
    const transactionId =
      total === 0
        ? null
        : await createSale(
            trx,
            { settings, gateways },
            {
              sellerId: server.owner_id,
              walletId: wallet.id,
              currency: shop.currency,
              amount: total,
              provider: body.provider!,
              language: body.language as Language,
              payer: { email: body.email, ip },
              description: `${shop.title}: ${item.name}`.slice(0, 120),
              returnPath: orderPath(context, id),
              details: { server_id: server.id, shop_order_id: id, item: item.name },
            },
          )
    const { name, days, commands } = item
    const row = await orders.insertOrder(trx, {
      id,
      server_id: server.id,
      item_id: item.id,
      item: { name, days, commands },
      quantity: body.quantity,
      player: player.name,
      player_id: player.id,
      giver,
      chosen,
      coupon_id: coupon?.id ?? null,
      currency: shop.currency,
      full_amount: full,
      amount: total,
      transaction_id: transactionId,
      language: body.language,
      email: body.email,
      idempotency_key: key ?? null,
      request_hash: key === undefined ? null : requestHash,
    })
    if (row === undefined) throw new SameKey()
    if (transactionId === null) await markPaid(trx, row, now)
    return row
  }).catch((error: unknown) => {
    if (error instanceof SameKey) return undefined
    throw error
  })
  const row = made ?? (await orders.findOrderByKey(db, server.id, key ?? ''))
  if (row === undefined) throw new Error('an order vanished')
  return row
}

/** The same request came twice at once: the other one has ordered. */
class SameKey extends Error {}

/** @throws DomainError `resource_not_found`, also for who has not its key. */
export async function showOrder(
  context: Pick<Context, 'db' | 'secrets'>,
  { orderId, key }: { orderId: string; key: string },
): Promise<OrderPage> {
  const { db } = context
  const row = await requireOrder(context, orderId, key)
  const server = await findServer(db, row.server_id)
  const shop = await repo.findShop(db, row.server_id)
  const payment = row.transaction_id === null ? undefined : await getTransaction(context.db, row.transaction_id)
  const { rows } = await selectDeliveries(db, row.server_id, { limit: 100, open: false, orderId })
  const { quantity, player, giver, amount, currency } = row
  const waiting = rows.filter(({ state }) => state === 'waiting')
  return {
    id: row.id,
    quantity,
    player,
    giver,
    server_name: server?.name ?? shop?.title ?? '',
    shop_path: server === undefined ? '' : shopPath(server),
    shop_title: shop?.title ?? '',
    shop_picture: shop?.picture == null ? null : shopPictureUrl(row.server_id, shop.picture),
    item: (row.item as { name: string }).name,
    total: { amount, currency },
    state: stateOf(row),
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
    until: row.return_kind === null ? (row.ends_at?.toISOString() ?? null) : null,
    redirect_url: payment?.redirect_url ?? null,
    seller: shop?.seller as OrderPage['seller'],
    delivered: row.delivered,
    deliveries: row.deliveries,
    waits_for_player: waiting.some(({ needs_player, is_on }) => needs_player && !is_on),
  }
}

async function requireOrder(context: Pick<Context, 'db' | 'secrets'>, orderId: string, key: string) {
  const right = Buffer.from(keyOf(context, orderId))
  const given = Buffer.from(key)
  const row = await orders.findListed(context.db, orderId)
  if (row === undefined || given.length !== right.length || !timingSafeEqual(given, right))
    throw new DomainError('resource_not_found')
  return row
}

/** The payer is back: what the provider says is asked for at once. */
export async function returnToOrder(
  context: Context,
  gateways: Gateways,
  { orderId, key, cancelled, ip }: { orderId: string; key: string; cancelled: boolean; ip: string },
): Promise<OrderPage> {
  await requireWithinLimit(context, 'paypalReturn', { ip })
  const row = await requireOrder(context, orderId, key)
  const payment = row.transaction_id === null ? undefined : await findTransaction(context.db, row.transaction_id)
  if (payment?.provider === 'paypal')
    await completePaypal(context, gateways, {
      userId: payment.user_id,
      transactionId: payment.id,
      isCancelled: cancelled,
    })
  return showOrder(context, { orderId, key })
}
