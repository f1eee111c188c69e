/** Money as administrators see it: partners, vouchers, refunds and what is owed, late bills, days that were compared. */
import type { Browser } from 'playwright-core'
import type { ApiClient } from '@wakestone/contract/client'
import { renewService } from '@wakestone/contract/sales/billings-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import {
  enterChargeback,
  listPaymentReturns,
  refundTransaction,
} from '@wakestone/contract/money/payment-returns-routes'
import { listReconciliations } from '@wakestone/contract/money/reconciliations-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { generateVouchers, redeemIntoWallet } from '@wakestone/contract/sales/vouchers-routes'
import { closeContext } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { handleBills } from '../../apps/server/src/features/sales/pay-later/service.ts'
import { reconcileDay } from '../../apps/server/src/features/money/reconciliation/service.ts'
import { reconcileGatewayJob } from '../../apps/server/src/features/money/reconciliation/jobs.ts'
import { enqueue } from '../../apps/server/src/jobs/boss.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import { order } from '../../tests/support/servers.ts'
import { strangeGateway } from '../../tests/support/strange-gateway.ts'
import { makePartners, type PartnerScene } from './partners.ts'
import { createPayer, until } from './payments.ts'
import { day, openContext, password, type Person, type Product, signUp, type Stage, walletOf } from './people.ts'

export type MoneyScene = PartnerScene & {
  /** Signs in as somebody who owes something, and has a bill that is late. */
  debtor: [login: string, password: string]
  debtorId: string
  debtorWalletId: string
  debtorServerId: string
  /** A compared day with a difference. */
  reportId: string
  /** Codes that can be used still. */
  codes: Record<'money' | 'trial' | 'coupon', string>
}

/** @param customer whose wallet a voucher is used on. */
export async function setMoneyScene(
  product: Product,
  customer: { call: ApiClient; walletId: string },
  browser: Browser,
): Promise<MoneyScene> {
  const context = await openContext(product)
  try {
    const admin = createCookieClient(product.origin).call
    await admin(loginLocal, { body: { login: 'admin', password: product.secrets.adminPassword } })
    const stage = { product, context, admin, browser }
    const codes = await makeVouchers(stage, customer)
    const marta = await signUp(stage, 'marta_w')
    const partners = await makePartners(stage, marta)
    const debtorServerId = await owe(stage, marta)
    return {
      ...partners,
      debtor: [marta.user.username, password],
      debtorId: marta.user.id,
      debtorWalletId: walletOf(marta),
      debtorServerId,
      reportId: await compareDays(stage),
      codes,
    }
  } finally {
    await closeContext(context)
  }
}

async function makeVouchers({ admin }: Stage, { call, walletId }: { call: ApiClient; walletId: string }) {
  const make = async (body: (typeof generateVouchers)['body']['_zod']['input']) =>
    (await admin(generateVouchers, { body })).vouchers[0]?.code ?? ''
  const money = { wallet_tx: [{ amount: 1000, currency: 'PLN' as const }], comment: 'Pyrkon' }
  const given = await make({ quantity: 20, prefix: 'PYRKON', group_id: 'pyrkon', data: money })
  const coupon = { name: '−20 %', expression: 'price * 4 / 5', uses_left: 3 }
  const codes = {
    money: await make({ quantity: 1, prefix: 'LAMPA', uses_left: 20, data: { ...money, comment: '' } }),
    trial: await make({
      quantity: 1,
      uses_left: 5,
      group_id: 'testing-server-AMETHYST',
      data: { new_server: true, add_hours: 72, product_id: ['AMETHYST'] },
    }),
    coupon: await make({ quantity: 1, prefix: 'ZIMA', data: { coupon, product_id: ['GRASS', 'AMETHYST'] } }),
  }
  await call(redeemIntoWallet, { params: { id: walletId }, body: { voucher: given } })
  return codes
}

/**
 * Buys, gets a part back, has the rest taken back by the bank, and lets a bill become late.
 * @returns the server.
 */
async function owe({ admin, context, browser }: Stage, debtor: Person): Promise<string> {
  const { call, user } = debtor
  const walletId = walletOf(debtor)
  await admin(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })
  const payer = createPayer(call, walletId, browser)
  const payments = [await payer.press(5000, 'pay'), await payer.press(5000, 'pay')] as const
  const more = { name: 'Sowia Dolina', subdomain: 'sowia-dolina', requested_billing_services: ['GRASS'] }
  const { id: serverId, service_id } = await call(createServer, { body: order(walletId, '1.21.4', more) })
  const renewal = { billing_period: '720h', wallet_id: walletId, payment_method: 'pay-later' } as const
  await call(renewService, { params: { id: service_id }, body: renewal })

  const [first, second] = payments
  const reason = 'Doładowano dwa razy przez pomyłkę'
  await admin(refundTransaction, { params: { id: first }, body: { amount: 2000, reason } })
  const take = (id: string, amount: number, case_id: string) =>
    admin(enterChargeback, {
      params: { id },
      body: { kind: 'chargeback', amount, reason: 'Pismo z banku z 12 listopada', case_id },
    })
  await take(second, 5000, 'CB-2026/17')
  await take(first, 3000, 'CB-2026/18')
  await until('a refund', async () => {
    const { data } = await admin(listPaymentReturns, { query: { kind: 'refund' } })
    return data.every(({ state }) => state === 'COMPLETED')
  })

  const [created_at, due_at] = [16, 2].map((ago) => new Date(Date.now() - ago * day))
  await context.db.updateTable('bills').set({ created_at, due_at }).where('user_id', '=', user.id).execute()
  await handleBills(context, new Date())
  return serverId
}

/** Has the worker compare the last days. @returns a report with a difference. */
async function compareDays({ admin, context }: Stage): Promise<string> {
  const [today, yesterday, before] = [0, 1, 2].map((ago) => new Date(Date.now() - ago * day).toISOString().slice(0, 10))
  const wanted = [
    ...[today, yesterday, before].map((name = '') => ({ gateway: 'payu', day: name })),
    ...['paypal', 'paynow'].map((gateway) => ({ gateway, day: yesterday ?? '' })),
  ]
  await inTransaction(context.db, async (trx) => {
    for (const one of wanted) {
      const singletonKey = `${one.gateway} ${one.day}`
      await enqueue(context.boss, trx, reconcileGatewayJob, one, { singletonKey })
    }
  })
  const count = async () => (await admin(listReconciliations, { query: {} })).count
  await until('compared days', async () => (await count()) >= wanted.length)
  return reconcileDay(context, strangeGateway, { day: new Date(Date.now() - 2 * day), now: new Date() })
}
