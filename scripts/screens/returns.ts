/** Payments by PayPal and PayNow in the states in which their payers come back. */
import type { ApiClient } from '@wakestone/contract/client'
import { completePaypal, createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { until } from './payments.ts'

export type ReturnScene = {
  /** Transactions, by how far they are. */
  paypal: Record<'waiting' | 'completed' | 'cancelled' | 'failed' | 'declined', string>
  paynow: Record<'waiting' | 'failed', string>
}
type Payment = { provider: 'paypal' | 'paynow'; walletId: string; currency: 'EUR' | 'PLN'; amount: number }

export async function setReturnScene(call: ApiClient, wallets: Record<'EUR' | 'PLN', string>): Promise<ReturnScene> {
  const look = (id: string) => call(getTransaction, { params: { id } })
  /** @returns the transaction, and where its payer pays. */
  const begin = async ({ walletId, ...payment }: Payment) => {
    const body = { action: 'DEPOSIT' as const, wallet_id: walletId, ...payment }
    const { id } = await call(createTransaction, { body })
    await until('a payment page', async () => (await look(id)).redirect_url !== null)
    return { id, url: new URL((await look(id)).redirect_url ?? '') }
  }
  const complete = (id: string, cancelled = false) => call(completePaypal, { body: { transaction_id: id, cancelled } })

  const paypal = async (issue?: string) => {
    const { id, url } = await begin({ provider: 'paypal', walletId: wallets.EUR, currency: 'EUR', amount: 2000 })
    const at = (path: string, body: unknown) =>
      fetch(new URL(`/simulator/${path}`, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const orderId = url.searchParams.get('token')
    if (issue !== undefined) {
      const answer = await fetch(new URL('/simulator/orders', url))
      const { orders } = (await answer.json()) as { orders: { id: string; name: string }[] }
      const order = orders.find((one) => one.id === orderId)?.name
      await at('faults', { order, faults: { lose: true, refuse: { issue, times: 1000 } } })
    }
    return { id, approve: () => at(`orders/${orderId}/approve`, {}) }
  }
  const waiting = await paypal()
  const cancelled = await paypal()
  await complete(cancelled.id, true)
  const completed = await paypal()
  await completed.approve()
  await complete(completed.id)
  const failed = await paypal('TRANSACTION_REFUSED')
  await failed.approve()
  await complete(failed.id)
  const declined = await paypal('INSTRUMENT_DECLINED')
  await declined.approve()
  await complete(declined.id)

  const paynow = () => begin({ provider: 'paynow', walletId: wallets.PLN, currency: 'PLN', amount: 5000 })
  const refused = await paynow()
  const form = new URLSearchParams(refused.url.search)
  form.set('action', 'reject')
  await fetch(new URL(refused.url.pathname, refused.url), { method: 'POST', redirect: 'manual', body: form })
  await until('a refused payment', async () => (await look(refused.id)).status === 'FAILED')
  return {
    paypal: {
      waiting: waiting.id,
      completed: completed.id,
      cancelled: cancelled.id,
      failed: failed.id,
      declined: declined.id,
    },
    paynow: { waiting: (await paynow()).id, failed: refused.id },
  }
}
