/** An API on which vouchers can be made without the limits of a day, and a server to redeem them on. */
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import * as vouchers from '@wakestone/contract/sales/vouchers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import type { generateVouchersBody } from '@wakestone/contract/sales/voucher'
import { startTestApi } from './api.ts'
import { order, topUp } from './servers.ts'

export type Body = (typeof generateVouchersBody)['_zod']['input']
export type Data = Body['data']
export type VoucherWorld = Awaited<ReturnType<typeof startVoucherWorld>>

export const hour = 3_600_000
/** GRASS, 720 h, with 23 % of VAT. */
export const month = 1844
export const coupon = { name: 'A fifth off', expression: 'price * 80 / 100', uses_left: 2 }

export const pln = (amount: number) => [{ amount, currency: 'PLN' as const }]
export const milliseconds = (time: string | null) => new Date(time ?? 0).getTime()

/** Settings under which vouchers are made and used without the limits of a day. */
export const manyVouchers = {
  LIMIT_VOUCHERS: '0',
  LIMIT_VOUCHER_FAILURES: '0',
  LIMIT_VOUCHER_FAILURES_PER_ADDRESS: '0',
  VOUCHER_DAILY_CODES: '5000',
  VOUCHER_DAILY_HOURS: '100000',
  VOUCHER_DAILY_VALUE: '100000000',
}

export async function startVoucherWorld() {
  const api = await startTestApi(manyVouchers)
  /** An administrator. */
  const boss = await api.signUp({ admin: true })
  const make = async (data: Data, body: Partial<Body> = {}, maker = boss) => {
    const made = await maker.call(vouchers.generateVouchers, { body: { quantity: 1, ...body, data } })
    return made.vouchers
  }
  return {
    api,
    boss,
    make,
    makeCode: async (data: Data, body: Partial<Body> = {}) => (await make(data, body))[0]?.code ?? '',
    /** Somebody's server, rented for a month by what was put into their wallet. */
    async rent(more: Parameters<typeof order>[2] = {}, amount = month) {
      const owner = await api.signUp()
      const walletId = await topUp(api.context, owner, amount)
      const server = await owner.call(createServer, { body: order(walletId, '1.21.4', more) })
      const params = { id: server.service_id }
      return {
        owner,
        walletId,
        server,
        params,
        show: () => owner.call(billings.getService, { params }),
        balance: async () => (await owner.call(getWallet, { params: { id: walletId } })).balance.amount,
        redeem: (voucher: string, idempotencyKey?: string) =>
          owner.call(vouchers.redeemOnService, {
            params,
            body: { voucher },
            ...(idempotencyKey && { idempotencyKey }),
          }),
      }
    },
  }
}
