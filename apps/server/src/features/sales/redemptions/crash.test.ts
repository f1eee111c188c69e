/** A redemption that ends at any of its writes leaves nothing half: neither a used voucher nor what it gives. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import type { generateVouchersBody } from '@wakestone/contract/sales/voucher'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'

let api: TestApi
let boss: Caller
beforeAll(async () => {
  api = await startTestApi({ LIMIT_VOUCHERS: '0', VOUCHER_DAILY_VALUE: '100000000' })
  boss = await api.signUp({ admin: true })
  await api.context.database.pool.query(
    `create function crash() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$`,
  )
})
afterAll(() => api.close())

const query = async (text: string) => (await api.context.database.pool.query(text)).rows as Record<string, unknown>[]

/** Everything that a redemption may touch. */
const touched = {
  vouchers: 'id, uses_left, last_use_id',
  voucher_uses: 'id',
  service_coupons: 'id, uses_left, used',
  services: 'id, expires, cost, ended_at',
  servers: 'id, testing, cleanup_date',
  domains: 'id',
  renewals: 'id',
  transactions: 'id',
  ledger_transactions: 'id',
  ledger_accounts: 'id, posted',
  audit_events: 'id',
  notifications: 'id',
} as const
const snapshot = async () => {
  const parts = Object.entries(touched).map(
    ([table, columns]) =>
      `select '${table}' as kind, row_to_json(r)::text as content from (select ${columns} from ${table}) r`,
  )
  return query(`${parts.join(' union all ')} order by 1, 2`)
}

type Data = (typeof generateVouchersBody)['_zod']['input']['data']
async function make(data: Data): Promise<string> {
  const made = await boss.call(vouchers.generateVouchers, { body: { quantity: 1, data } })
  return made.vouchers[0]?.code ?? ''
}

/** Each begins anew, with a server and money. */
async function prepare() {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
  return { owner, walletId, params: { id: server.service_id } }
}
const coupon = { name: 'A fifth off', expression: 'price * 80 / 100', uses_left: 2 }

/** Written besides. */
const parts = {
  'into a wallet': ['transactions', 'ledger_transactions', 'ledger_accounts'],
  'on a service': ['service_coupons', 'services', 'notifications'],
  'in a renewal': ['service_coupons', 'services', 'renewals', 'transactions', 'ledger_transactions', 'notifications'],
  'in an order': ['service_coupons', 'services', 'servers', 'domains', 'transactions', 'ledger_transactions'],
}
const redemptions: [
  keyof typeof parts,
  Data,
  (given: Awaited<ReturnType<typeof prepare>>, voucher: string) => Promise<unknown>,
][] = [
  [
    'into a wallet',
    { wallet_tx: [{ amount: 500, currency: 'PLN' }] },
    ({ owner, walletId }, voucher) =>
      owner.call(vouchers.redeemIntoWallet, { params: { id: walletId }, body: { voucher } }),
  ],
  [
    'on a service',
    { add_hours: 24, coupon, product_id: ['GRASS'] },
    ({ owner, params }, voucher) => owner.call(vouchers.redeemOnService, { params, body: { voucher } }),
  ],
  [
    'in a renewal',
    { add_hours: 24, coupon, product_id: ['GRASS'] },
    ({ owner, params, walletId }, voucher) =>
      owner.call(billings.renewService, {
        params,
        body: { billing_period: '720h', wallet_id: walletId, vouchers: [voucher] },
      }),
  ],
  [
    'in an order',
    { add_hours: 24, coupon, product_id: ['GRASS'] },
    ({ owner, walletId }, voucher) =>
      owner.call(createServer, { body: order(walletId, '1.21.4', { vouchers: [voucher] }) }),
  ],
]

/** The one that writes most, of which the others are parts. */
const played = isLong ? redemptions : [redemptions.at(-1)!]

test.each(played)(
  '%s',
  async (where, data, redeem) => {
    const written: string[] = []
    const crashed = someOf(Object.keys(touched), 5)
    for (const table of crashed) {
      const given = await prepare()
      const voucher = await make(data)
      const before = await snapshot()
      await query(`create trigger zz_crash after insert or update on ${table} for each row execute function crash()`)
      const outcome = await redeem(given, voucher).then(
        () => 'done',
        () => 'crashed',
      )
      await query(`drop trigger zz_crash on ${table}`)
      if (outcome === 'done') continue // nothing is written there
      written.push(table)
      expect(await snapshot(), table).toEqual(before)
      await redeem(given, voucher)
    }
    const expected = ['vouchers', 'voucher_uses', 'audit_events', ...parts[where]]
    expect(written).toEqual(expect.arrayContaining(expected.filter((table) => crashed.includes(table))))
    expect(await findLedgerFaults(api.context.database.pool)).toEqual({})
  },
  120_000,
)
