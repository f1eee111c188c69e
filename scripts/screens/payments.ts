/** Top-ups at the demo's provider, as a payer makes them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { ApiClient } from '@wakestone/contract/client'
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import type { TransactionStatus } from '@wakestone/contract/states'

export async function until(what: string, isSo: () => Promise<boolean>, { seconds = 90 } = {}): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; !(await isSo()); await delay(250)) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
  }
}

/** One who tops their PLN wallet up. Amounts are in grosz. */
export function createPayer(call: ApiClient, walletId: string, browser: Browser) {
  const look = (id: string) => call(getTransaction, { params: { id } })
  const reach = (id: string, status: TransactionStatus) => until(status, async () => (await look(id)).status === status)
  const order = async (amount: number) =>
    (
      await call(createTransaction, {
        body: { action: 'DEPOSIT', provider: 'payu', wallet_id: walletId, amount, currency: 'PLN' },
      })
    ).id
  const addressOf = async (id: string) => (await look(id)).redirect_url ?? ''
  const begin = async (amount: number) => {
    const id = await order(amount)
    await until('a payment page', async () => (await addressOf(id)) !== '')
    return id
  }
  /** A whole payment: begins it, presses a button of the payer's page, and waits for what the shop makes of it. */
  const press = async (amount: number, action: 'pay' | 'cancel') => {
    const id = await begin(amount)
    const page = await browser.newPage()
    await page.goto(await addressOf(id))
    await page.locator(`button[value=${action}]`).click()
    await reach(id, action === 'pay' ? 'COMPLETED' : 'CANCELLED')
    await page.close()
    return id
  }
  return { order, begin, press, reach, addressOf }
}
