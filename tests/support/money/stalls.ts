/**
 * What owners of servers have of what their shops have sold: held until it is unlikely to go back, then theirs less the
 * operator's part. Each stall has an owner of its own, who does nothing else with their wallet.
 */
import { expect } from 'vitest'
import { type Customer, expectWithin } from './model.ts'
import type { Payment } from './payments.ts'
import { day } from './rules.ts'
import type { Account, World } from './world.ts'

export const holdDays = 14
/** Of the operator, in hundredths of a percent. */
export const shareOf = (seed: number) => (seed % 2 === 0 ? 0 : 750)

export type StallReturn = { id: string; kind: 'refund' | 'chargeback'; amount: number; state: 'gone' | 'back' }
export type StallSale = {
  orderId: string
  transactionId: string
  amount: number
  payment: Payment
  /** Between which moments it was paid. */
  paid: readonly [number, number]
  /** Not the owner's to use yet. */
  isHeld: boolean
  /** Of what was released, the operator's part, and what of that came back. */
  base: number
  share: number
  shareBack: number
  returns: StallReturn[]
}
export type Stall = {
  keeper: Account
  serverId: string
  itemId: string
  price: number
  /** Nothing is sold any more from then on. */
  expires: number
  sales: StallSale[]
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
export const awayOf = ({ returns }: StallSale) =>
  sum(returns.map(({ state, amount }) => (state === 'gone' ? amount : 0)))
/** What goes back while it is held is taken of that; what comes again is not held again. */
const heldOf = (sale: StallSale) => (sale.isHeld ? sale.amount - sum(sale.returns.map(({ amount }) => amount)) : 0)

/** Money of a sale goes back to its buyer, and the operator's part of it to the owner. */
export function takeFromStall(sale: StallSale, made: Omit<StallReturn, 'state'>): void {
  if (sale.base > 0)
    sale.shareBack += Math.min(sale.share - sale.shareBack, Math.floor((sale.share * made.amount) / sale.base))
  sale.returns.push({ ...made, state: 'gone' })
}

type Shown = { transaction_id: string; released_at: Date | null; share: number; share_returned: number; held: number }

/** Sales and the wallet as they are at one moment: a worker may release some at any time. */
async function readStall({ client }: Pick<World, 'client'>, { keeper, sales }: Stall) {
  const { rows } = await client.query<{ sales: Shown[]; balance: number; credit: number; owed: number }>({
    name: 'money-stall',
    text: `select (a.posted - a.held)::int as balance, coalesce(c.posted, 0)::int as credit,
       (select coalesce(sum(open), 0)::int from debts where debts.wallet_id = w.id) as owed,
       (select coalesce(json_agg(json_build_object('transaction_id', s.transaction_id, 'released_at', s.released_at,
          'share', coalesce(s.share, 0), 'share_returned', coalesce(s.share_returned, 0), 'held', coalesce(h.amount, 0))), '[]')
        from sale_payments s left join ledger_holds h on h.id = s.hold_id and h.state = 'held'
        where s.transaction_id = any($2)) as sales
     from wallets w join ledger_accounts a on a.id = w.ledger_account_id
     left join ledger_accounts c on c.code = 'credit:' || w.id where w.id = $1`,
    values: [keeper.wallets.PLN, sales.map(({ transactionId }) => transactionId)],
  })
  return rows[0]!
}

/**
 * What was held for long enough is released, and nothing before; then the wallet is as it must be.
 * @param begun when the last pass over what is due began, undefined where there was none: then anything due may wait.
 */
export async function verifyStall(world: World, stall: Stall, begun?: number): Promise<void> {
  const { sales } = stall
  const { sales: rows, ...purse } = await readStall(world, stall)
  const shown = new Map(rows.map((row) => [row.transaction_id, row]))
  for (const sale of sales) {
    const is = shown.get(sale.transactionId)
    if (is === undefined) throw new Error(`a sale that is none: ${sale.transactionId}`)
    const [from, to] = sale.paid.map((at) => at + holdDays * day) as [number, number]
    if (sale.isHeld && is.released_at !== null) {
      expect(from, 'it was released too early').toBeLessThanOrEqual(world.now())
      sale.base = heldOf(sale)
      sale.share = Math.floor((sale.base * shareOf(world.seed)) / 10_000)
      sale.isHeld = false
    } else if (sale.isHeld && begun !== undefined) {
      expect(to, `it was never released: ${sale.transactionId}`).toBeGreaterThan(begun)
    }
    expect([is.held, is.share, is.share_returned], `what became of the sale ${sale.transactionId}`).toEqual([
      heldOf(sale),
      sale.share,
      sale.shareBack,
    ])
  }
  const own = sum(sales.map((sale) => sale.amount - awayOf(sale) - sale.share + sale.shareBack - heldOf(sale)))
  expect(purse, 'what the owner of a shop has').toEqual({
    balance: Math.max(0, own),
    credit: 0,
    owed: Math.max(0, -own),
  })
}

/** Each paid order has its commands once; what has gone back whole before anything was sent is not to be sent. */
export async function verifyDeliveries({ client }: Pick<World, 'client'>, { sales }: Stall): Promise<void> {
  const { rows } = await client.query<{ order_id: string; told: string[] }>(
    `select order_id, array_agg(stage || ' ' || number || ' ' || state order by stage, number) as told
     from shop_deliveries where order_id = any($1) group by order_id`,
    [sales.map(({ orderId }) => orderId)],
  )
  const told = new Map(rows.map((row) => [row.order_id, row.told]))
  for (const sale of sales) {
    const state =
      awayOf(sale) < sale.amount && sale.returns.every(({ amount }) => amount < sale.amount) ? 'waiting' : 'dropped'
    expect(told.get(sale.orderId), `commands of ${sale.orderId}`).toEqual([
      `purchase 1 ${state}`,
      `purchase 2 ${state}`,
    ])
  }
}

export async function verifyStalls(world: World, { stalls }: Customer, begun?: number): Promise<void> {
  for (const stall of stalls) {
    await verifyStall(world, stall, begun)
    await verifyDeliveries(world, stall)
  }
}

export const expectPaidWithin = (at: Date, sale: readonly [number, number]) =>
  expectWithin(at.getTime(), sale, 'when an order was paid')
