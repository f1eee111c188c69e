/** What a shop shows to everybody. */
import { DomainError } from '@wakestone/contract/errors'
import type { PublicItem, PublicShop, ShopCommand, ShopVariable } from '@wakestone/contract/sales/shop'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { panelState } from '@wakestone/contract/states'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { waysToSell } from '#src/features/money/payments/service.ts'
import { describeServer, findServer, isDisabled, type ServerRow } from '#src/features/servers/servers/service.ts'
import * as orders from './orders-repo.ts'
import * as repo from './repo.ts'
import { describeGoal } from './service.ts'

const recentShown = 5

export type OpenShop = { server: ServerRow; shop: repo.ShopRow }

/** @throws DomainError `shop_not_found`, also for one that is closed. */
export async function requireOpen(db: Handle, name: string): Promise<OpenShop> {
  const id = await repo.findServerId(db, name)
  const [server, shop] = id === undefined ? [] : await Promise.all([findServer(db, id), repo.findShop(db, id)])
  if (server === undefined || shop?.open !== true || isDisabled(server) || server.owner_suspended)
    throw new DomainError('shop_not_found')
  return { server, shop }
}

export async function showPublicShop(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  gateways: Gateways,
  name: string,
): Promise<PublicShop> {
  const { server, shop } = await requireOpen(db, name)
  const [categories, items, goals, recent] = await Promise.all([
    repo.selectCategories(db, server.id),
    repo.selectItems(db, server.id),
    repo.selectGoals(db, server.id),
    orders.selectRecent(db, server.id, recentShown),
  ])
  const shown = items.filter(({ active }) => active)
  return {
    server_id: server.id,
    server_name: server.name,
    title: shop.title,
    intro: shop.intro,
    intro_html: shop.intro_html,
    excerpt: excerptOf(shop.intro_html === '' ? shop.intro : plainOf(shop.intro_html)),
    picture: shop.picture === null ? null : shopPictureUrl(server.id, shop.picture),
    status: describeStatus(server, settings),
    seller: shop.seller as PublicShop['seller'],
    currency: shop.currency as PublicShop['currency'],
    categories: categories
      .filter(({ id }) => shown.some(({ category_id }) => category_id === id))
      .map(({ id, name: title }) => ({ id, name: title })),
    items: shown.map((item) => describeItem(item, shop.currency, item.sold)),
    goals: goals.map(describeGoal),
    recent: recent.map(({ player, item, paid_at }) => ({ player, item, at: paid_at!.toISOString() })),
    providers: waysToSell(gateways, shop.currency),
  }
}

function describeStatus(server: ServerRow, settings: Context['settings']): PublicShop['status'] {
  const { status, address, parameters } = describeServer({ ...server, capabilities: {} }, settings)
  const { online, max } = status.players
  return { state: panelState(status), address, players: online, most: max ?? parameters.limits.players }
}

export function describeItem(row: repo.ItemRow, currency: string, sold: number): PublicItem {
  const { id, server_id, category_id, name, description, html, picture, price, days, giftable, overall } = row
  return {
    id,
    category_id,
    name,
    description,
    html,
    excerpt: excerptOf(html === '' ? description : plainOf(html)),
    picture: picture === null ? null : shopPictureUrl(server_id, picture),
    days,
    giftable,
    price: { amount: price, currency },
    needs_player: (row.commands as ShopCommand[]).some(
      ({ stage, needs_player }) => stage === 'purchase' && needs_player,
    ),
    variables: row.variables as ShopVariable[],
    sold_out: overall !== null && sold >= overall,
  }
}

const excerptLength = 180
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Of HTML that our renderer wrote: its text, which is text again and no HTML. */
const plainOf = (html: string) =>
  html.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= excerptLength ? line : `${line.slice(0, excerptLength - 1)}…`
}
