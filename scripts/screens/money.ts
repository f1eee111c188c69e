/** Money as administrators see it: partners, vouchers, refunds and what is owed, late bills, days that were compared. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { ApiClient } from '@wakestone/contract/client'
import { applyForAffiliate, changeAffiliate } from '@wakestone/contract/routes/affiliates'
import { renewService } from '@wakestone/contract/routes/billings'
import { changeFlag } from '@wakestone/contract/routes/flags'
import { enterChargeback, listPaymentReturns, refundTransaction } from '@wakestone/contract/routes/payment-returns'
import { listReconciliations } from '@wakestone/contract/routes/reconciliations'
import { getOwnReferralCode, setReferrer } from '@wakestone/contract/routes/referrals'
import { createServer } from '@wakestone/contract/routes/servers'
import { loginLocal, register, verify } from '@wakestone/contract/routes/users'
import { generateVouchers, redeemIntoWallet } from '@wakestone/contract/routes/vouchers'
import type { User } from '@wakestone/contract/user'
import { createLogger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { closeContext, type Context, createContext } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { countVisit } from '../../apps/server/src/features/affiliates/clicks.ts'
import { heedBills } from '../../apps/server/src/features/pay-later/service.ts'
import type { PaymentGateway } from '../../apps/server/src/adapters/payments/gateway.ts'
import { reconcileDay } from '../../apps/server/src/features/reconciliation/service.ts'
import { reconcileGatewayJob } from '../../apps/server/src/features/reconciliation/jobs.ts'
import { heedReferrals } from '../../apps/server/src/features/referrals/service.ts'
import { markEmailVerified } from '../../apps/server/src/features/users/repo.ts'
import { enqueue } from '../../apps/server/src/jobs/boss.ts'
import { startPostgres } from '../../apps/standalone/src/postgres.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import { payIn } from '../../tests/support/direct-payments.ts'
import { order } from '../../tests/support/servers.ts'
import type { Standalone } from '../../tests/support/standalone.ts'
import { createPayer, until } from './payments.ts'

const day = 86_400_000

type Product = Pick<Standalone, 'origin' | 'dataDir' | 'secrets'>
type Person = { call: ApiClient; user: User }
/** Whom all of it is done by and for. */
type Stage = { product: Product; context: Context; admin: ApiClient; browser: Browser }

export type MoneyScene = {
  /** Signs in as somebody who owes something, and has a bill that is late. */
  debtor: [login: string, password: string]
  debtorId: string
  debtorWalletId: string
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
    await makePartners(stage, marta)
    await owe(stage, marta)
    return {
      debtor: [marta.user.username, password],
      debtorId: marta.user.id,
      debtorWalletId: walletOf(marta),
      reportId: await compareDays(stage),
      codes,
    }
  } finally {
    await closeContext(context)
  }
}

const password = 'latarnia nad wodą'
const walletOf = ({ user }: Person) => user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? ''

/** The product's own parts and database, for what no route does: letting time pass. */
async function openContext({ dataDir, secrets }: Product): Promise<Context> {
  const postgres = await startPostgres({
    home: join(dataDir, 'postgres'),
    password: secrets.databasePassword,
    logFile: join(dataDir, 'logs/postgres.log'),
  })
  const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'silent', LIMIT_CLICKS: '0' })
  const logger = createLogger({ part: 'test', level: settings.LOG_LEVEL })
  return createContext({ settings, secrets, logger, databaseUrl: postgres.url('wakestone'), role: 'api' })
}

/** A customer with a confirmed address, who has been here for three months. */
async function signUp(
  { product, context }: Stage,
  username: string,
  { call } = createCookieClient(product.origin),
): Promise<Person> {
  const { id } = await call(register, {
    body: { username, email: `${username}@example.com`, password, language: 'pl', accepted_tos: true },
  })
  await inTransaction(context.db, (trx) => markEmailVerified(trx, id))
  const created_at = new Date(Date.now() - 90 * day)
  await context.db.updateTable('users').set({ created_at }).where('id', '=', id).execute()
  await call(loginLocal, { body: { login: username, password } })
  return { call, user: await call(verify, {}) }
}

/** One who takes part and has brought `friend`, one who asks to, one who was suspended; and two accounts of one browser. */
async function makePartners(stage: Stage, friend: Person) {
  const { admin, context, product } = stage
  const decide = ({ user }: Person, state: 'approved' | 'suspended') =>
    admin(changeAffiliate, { params: { userId: user.id }, body: { state } })
  const apply = async (username: string, about: string, client = createCookieClient(product.origin)) => {
    const person = await signUp(stage, username, client)
    const body = { website: `https://example.com/${username}`, about }
    await person.call(applyForAffiliate, { params: { id: person.user.id }, body })
    return person
  }
  const codeOf = async ({ call, user }: Person) =>
    (await call(getOwnReferralCode, { params: { id: user.id } })).referral_code
  const come = ({ call, user }: Person, code: string) =>
    call(setReferrer, { params: { userId: user.id }, body: { code } })

  const ola = await apply('ola_buduje', 'I build on stream every evening, for about a hundred people.')
  await decide(ola, 'approved')
  const spammer = await apply('szybki_zysk', 'I recommend everything to everybody, all the time.')
  await decide(spammer, 'approved')
  await decide(spammer, 'suspended')
  const shared = createCookieClient(product.origin)
  const kuba = await apply('kuba_buduje', 'I run the server of our school, and a channel about redstone.', shared)

  const code = await codeOf(ola)
  for (let visitor = 1; visitor <= 37; visitor++)
    await countVisit(context, { code, ip: `198.51.100.${visitor}`, userAgent: 'Mozilla/5.0', now: new Date() })
  await come(friend, code)

  const kubasCode = await codeOf(kuba)
  const again = await signUp(stage, 'kuba_znowu', shared)
  await come(again, kubasCode)
  await payIn(context, again, 2000)
  await heedReferrals(context, new Date())
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

/** Buys, gets a part back, has the rest taken back by the bank, and lets a bill become late. */
async function owe({ admin, context, browser }: Stage, debtor: Person) {
  const { call, user } = debtor
  const walletId = walletOf(debtor)
  await admin(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })
  const payer = createPayer(call, walletId, browser)
  const payments = [await payer.press(5000, 'pay'), await payer.press(5000, 'pay')] as const
  const more = { name: 'Sowia Dolina', subdomain: 'sowia-dolina', requested_billing_services: ['GRASS'] }
  const { service_id } = await call(createServer, { body: order(walletId, '1.21.4', more) })
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
  await heedBills(context, new Date())
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
  return reconcileDay(context, forgetful, { day: new Date(Date.now() - 2 * day), now: new Date() })
}

/** PayPal, which lists a payment that nobody here knows. */
const forgetful = {
  id: 'paypal',
  listMovements: async (at: Date) => [
    {
      kind: 'capture',
      id: '3C679366HH908993F',
      paymentId: null,
      orderId: '5O190127TN364715T',
      externalId: null,
      amount: 2500,
      currency: 'PLN',
      at,
    },
  ],
} as unknown as PaymentGateway
