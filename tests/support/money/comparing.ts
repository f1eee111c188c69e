/** What the product says that customers have, beside what they must have. */
import { expect } from 'vitest'
import { getService } from '@wakestone/contract/sales/billings-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { currencies, type Customer, type Purse } from './model.ts'
import type { Currency } from './rules.ts'
import type { World } from './world.ts'

/** As a customer sees it. Everything is there at once, but top-ups: see `settle`. */
export async function verifyWallet(customer: Customer, currency: Currency): Promise<void> {
  const shown = await customer.call(getWallet, { params: { id: customer.wallets[currency] } })
  const { balance, non_refundable, owed } = shown
  expect(
    { balance: balance.amount, credit: non_refundable.amount, owed: owed.amount },
    `the wallet in ${currency}`,
  ).toEqual(customer.purse[currency])
}

/** All wallets at once, by the database: what they hold that is not held back, what of it is credit, what is owed. */
export async function readWallets({ client }: Pick<World, 'client'>, { userId }: Customer) {
  const { rows } = await client.query<Purse & { currency: Currency }>({
    name: 'money-wallets',
    text: `select w.currency, (a.posted - a.held)::int as balance, coalesce(c.posted, 0)::int as credit,
       (select coalesce(sum(open), 0)::int from debts where debts.wallet_id = w.id) as owed
     from wallets w join ledger_accounts a on a.id = w.ledger_account_id
     left join ledger_accounts c on c.code = 'credit:' || w.id where w.user_id = $1`,
    values: [userId],
  })
  const purse = ({ balance, credit, owed }: Purse): Purse => ({ balance, credit, owed })
  return Object.fromEntries(rows.map((row) => [row.currency, purse(row)])) as Record<Currency, Purse>
}

/** As `verifyWallet`, for all currencies, by a shorter way. */
export async function verifyWallets(world: Pick<World, 'client'>, customer: Customer): Promise<void> {
  expect(await readWallets(world, customer), 'balances, what of them is credit, and what is owed').toEqual(
    customer.purse,
  )
}

export async function verifyServices(customer: Customer): Promise<void> {
  for (const rented of customer.rented) {
    const shown = await customer.call(getService, { params: { id: rented.serviceId } })
    const { product, expires, period, currency, auto, planned } = rented
    expect(
      [shown.product.id, Date.parse(shown.expires ?? ''), shown.billing_period, shown.gross_cost, shown.auto_renew],
      `service ${rented.serviceId}`,
    ).toEqual([product, expires, period, { amount: rented.shown, currency }, auto])
    expect(
      shown.scheduled_actions.map(({ date, details }) => [
        details.product_id,
        Date.parse(date),
        details.renewed === true,
      ]),
      'what is planned',
    ).toEqual(planned === undefined ? [] : [[planned.product, planned.at, planned.isPaid]])
    expect(shown.add_ons.map((one) => one.product).toSorted()).toEqual(
      rented.addOns.map((one) => one.product).toSorted(),
    )
    for (const addOn of shown.add_ons) expect(Date.parse(addOn.expires ?? ''), 'the end of an add-on').toBe(expires)
  }
}

/** For all wallets, as they are now. */
export const isAsExpected = (is: Record<Currency, Purse>, should: Record<Currency, Purse>) =>
  currencies.every(
    (currency) =>
      is[currency].balance === should[currency].balance &&
      is[currency].credit === should[currency].credit &&
      is[currency].owed === should[currency].owed,
  )
