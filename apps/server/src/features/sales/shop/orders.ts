/** What becomes of an order: paid, given back, over. In the transactions of money itself, so that neither is without the other. */
import { fillCommand } from '@wakestone/contract/sales/shop-command'
import type { ShopCommand, ShopStage } from '@wakestone/contract/sales/shop'
import type { Game } from '@wakestone/contract/servers/server'
import type { Money } from '@wakestone/kit/money'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { requestRefund } from '#src/features/money/refunds/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { dropWaiting, insertDelivery, wasSent } from './deliveries-repo.ts'
import * as orders from './orders-repo.ts'
import { markReached, selectGoals } from './repo.ts'

const dayMilliseconds = 86_400_000

/** An item as it was ordered. */
export type OrderedItem = { name: string; days: number | null; commands: ShopCommand[] }
const itemOf = (order: orders.OrderRow) => order.item as OrderedItem
const lengthOf = (order: orders.OrderRow) => (itemOf(order).days ?? 0) * order.quantity * dayMilliseconds

export async function takeSalePaid(
  trx: Transaction,
  {
    transactionId,
    depositId,
    isSecond,
    now,
  }: { transactionId: string; depositId: string; isSecond: boolean; now: Date },
): Promise<void> {
  const order = await orders.lockOrderOf(trx, transactionId)
  if (order === undefined) return
  if (isSecond) return orders.notePaidAgain(trx, order.id, depositId)
  await markPaid(trx, order, now)
}

/** It is paid, or costs nothing. */
export async function markPaid(trx: Transaction, order: orders.OrderRow, now: Date): Promise<void> {
  if (order.paid_at !== null) return
  const item = itemOf(order)
  let stage: ShopStage = 'purchase'
  let endsAt: Date | null = null
  if (item.days !== null) {
    const running = await orders.lockRunning(trx, order, now)
    endsAt = new Date((running?.ends_at ?? now).getTime() + lengthOf(order))
    if (running !== undefined) {
      stage = 'renewal'
      await orders.updateOrder(trx, running.id, { renewed_by: order.id, ended_at: now })
    }
  }
  await orders.updateOrder(trx, order.id, {
    paid_at: now,
    ends_at: endsAt,
    ...(order.email !== null && { mail_at: now }),
  })
  await addCommands(trx, order, stage)
  await reachGoals(trx, order.server_id, now)
  await recordOrder(trx, order, 'SERVER_SHOP_SALE', order.amount)
  await tellOwner(trx, order)
}

function recordOrder(
  trx: Transaction,
  order: orders.OrderRow,
  action: 'SERVER_SHOP_SALE' | 'SERVER_SHOP_REFUND' | 'SERVER_SHOP_CHARGEBACK',
  amount: number,
) {
  const { server_id, player, currency } = order
  return recordServerEvent(trx, server_id, { action, data: { player, item: itemOf(order).name, amount, currency } })
}

/** What costs nothing is no sale: whoever takes it could otherwise have an owner mailed as often as they like. */
async function tellOwner(trx: Transaction, order: orders.OrderRow): Promise<void> {
  const { id, server_id, amount, currency, quantity, player } = order
  const server = amount === 0 ? undefined : await findServer(trx, server_id)
  if (server === undefined) return
  await notify(trx, {
    userId: server.owner_id,
    kind: 'SHOP_SALE',
    fields: {
      server: server.name,
      item: itemOf(order).name,
      quantity,
      player,
      amount: { amount, currency: currency as Money['currency'] },
    },
    resource: { type: 'server', id: server_id },
    dedupeKey: `shop sale ${id}`,
  })
}

async function addCommands(trx: Transaction, order: orders.OrderRow, stage: ShopStage): Promise<number> {
  const server = await findServer(trx, order.server_id)
  const commands = itemOf(order).commands.filter((one) => one.stage === stage)
  if (server === undefined) return 0
  for (const [index, { command, needs_player, wakes, answer }] of commands.entries())
    await insertDelivery(trx, {
      server_id: order.server_id,
      order_id: order.id,
      goal_id: null,
      item_id: order.item_id,
      stage,
      number: index + 1,
      command: fillCommand(command, valuesOf(order, server.game as Game)),
      answer,
      player: order.player,
      needs_player,
      wakes,
    })
  return commands.length
}

export const valuesOf = (
  order: Pick<orders.OrderRow, 'id' | 'player' | 'player_id' | 'quantity' | 'chosen'>,
  game: Game,
) => ({
  game,
  player: order.player,
  uuid: order.player_id,
  quantity: order.quantity,
  order: order.id,
  chosen: order.chosen as Record<string, string>,
})

async function reachGoals(trx: Transaction, serverId: string, now: Date): Promise<void> {
  for (const goal of await selectGoals(trx, serverId)) {
    if (goal.reached_at !== null || goal.reached < goal.target) continue
    if (!(await markReached(trx, goal.id, now))) continue
    for (const [index, command] of goal.commands.entries())
      await insertDelivery(trx, {
        server_id: serverId,
        order_id: null,
        goal_id: goal.id,
        item_id: null,
        stage: 'goal',
        number: index + 1,
        command: command.replace(/^\//, ''),
        answer: '',
        player: null,
        needs_player: false,
        wakes: false,
      })
  }
}

/** In the transaction that takes the money from the seller. Only what goes back whole takes the goods back. */
export async function takeMoneyReturned(
  trx: Transaction,
  { depositId, kind, refunded, now }: { depositId: string; kind: string; refunded: number; now: Date },
): Promise<void> {
  const order = await orders.lockOrderOf(trx, depositId)
  if (order === undefined) return
  await orders.updateOrder(trx, order.id, { refunded })
  if (refunded > order.refunded)
    await recordOrder(
      trx,
      order,
      kind === 'chargeback' ? 'SERVER_SHOP_CHARGEBACK' : 'SERVER_SHOP_REFUND',
      refunded - order.refunded,
    )
  if (refunded < order.amount || order.return_kind !== null) return
  const stage = kind === 'chargeback' ? 'chargeback' : 'refund'
  await dropWaiting(trx, order.id, { stages: ['purchase', 'renewal', 'expiry'], problem: 'given_back' })
  await endTime(trx, order, now)
  // Whoever took the money back through their bank knows already.
  const isTold = stage === 'refund' && order.email !== null
  await orders.updateOrder(trx, order.id, { return_kind: stage, ...(isTold && { mail_at: now, mail_tries: 0 }) })
  // What the game was never told of has not to be taken back.
  if (!(await wasSent(trx, order.id))) return
  const ways: ShopStage[] = stage === 'chargeback' ? ['chargeback', 'refund', 'expiry'] : ['refund', 'expiry']
  for (const way of ways) if ((await addCommands(trx, order, way)) > 0) return
}

/** A refund that did not leave, or a chargeback that was won: the order is paid again. Its owner sees what was dropped. */
export async function takeReturnUndone(
  trx: Transaction,
  { depositId, refunded }: { depositId: string; refunded: number },
): Promise<void> {
  const order = await orders.lockOrderOf(trx, depositId)
  if (order === undefined) return
  const isPaid = refunded < order.amount
  // A refund mail that has not been sent yet would be wrong now.
  const isUntold = isPaid && order.return_kind === 'refund'
  await orders.updateOrder(trx, order.id, {
    refunded,
    ...(isPaid && { return_kind: null }),
    ...(isUntold && { mail_at: null }),
  })
  if (isPaid)
    await dropWaiting(trx, order.id, { stages: ['refund', 'chargeback', 'expiry'], problem: 'paid_after_all' })
}

/** Takes the time of an order out of what its player has. */
async function endTime(trx: Transaction, order: orders.OrderRow, now: Date): Promise<void> {
  if (order.ends_at === null) return
  const before = await orders.findRenewed(trx, order.id)
  if (before !== undefined) {
    const isLast = order.renewed_by === null
    // The one before runs on by itself, or into the one after.
    await orders.updateOrder(trx, before.id, { renewed_by: order.renewed_by, ...(isLast && { ended_at: null }) })
  }
  for (let id = order.renewed_by; id !== null;) {
    const later = await orders.lockOrder(trx, id)
    if (later === undefined) break
    if (later.ends_at !== null)
      await orders.updateOrder(trx, later.id, { ends_at: new Date(later.ends_at.getTime() - lengthOf(order)) })
    id = later.renewed_by
  }
  await orders.updateOrder(trx, order.id, { ended_at: order.ended_at ?? now, renewed_by: null })
}

/** Takes back what was bought for a time that is over. */
export async function endDueOrders({ db }: Pick<Context, 'db'>, now: Date): Promise<void> {
  for (const id of await orders.findEnded(db, now, 100))
    await inTransaction(db, async (trx) => {
      const order = await orders.lockOrder(trx, id)
      if (order === undefined || order.ended_at !== null || order.ends_at === null || order.ends_at > now) return
      await orders.updateOrder(trx, id, { ended_at: now })
      await addCommands(trx, order, 'expiry')
    })
}

/** Has what was paid for the same a second time go back to its payer. */
export async function returnPaidAgain(
  { db, boss, logger }: Pick<Context, 'db' | 'boss' | 'logger'>,
  gateways: Gateways,
): Promise<void> {
  for (const { id, server_id, deposit_id } of await orders.findPaidAgain(db)) {
    const order = await orders.findOrder(db, id)
    const server = await findServer(db, server_id)
    if (order === undefined || server === undefined) continue
    try {
      await requestRefund({ db, boss }, gateways, {
        actor: { user_id: server.owner_id, username: server.owner_name },
        depositId: deposit_id,
        body: { amount: order.amount, reason: 'paid twice' },
        key: `shop-again-${deposit_id}`,
        now: new Date(),
      })
      await orders.forgetPaidAgain(db, id, deposit_id)
    } catch (error) {
      logger.error({ error, order: id, transaction: deposit_id }, 'what was paid twice in a shop cannot be given back')
      await orders.forgetPaidAgain(db, id, deposit_id)
    }
  }
}
