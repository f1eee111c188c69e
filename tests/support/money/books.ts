/** The books against those of the payment providers. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PayuSimulator } from '@wakestone/simulators/payu'
import type pg from 'pg'
import { createGateways } from '../../../apps/server/src/adapters/payments/registry.ts'
import type { Context } from '../../../apps/server/src/context.ts'
import { tidyPayments } from '../../../apps/server/src/features/transactions/upkeep.ts'

type Money = { context: Context; client: Pick<pg.Client, 'query'>; payu: Pick<PayuSimulator, 'orders' | 'waiting'> }

/**
 * Waits until nothing is under way between the providers and us.
 * @returns what then differs: payments taken and not credited, credited twice or by nothing. Empty: all is well.
 */
export async function findUnsettled(world: Money, patienceMilliseconds = 60_000): Promise<string[]> {
  const gateways = createGateways(world.context.settings)
  for (const deadline = Date.now() + patienceMilliseconds; ;) {
    const differences = await compare(world)
    if (differences.length === 0 || Date.now() > deadline) return differences
    await delay(100)
    // Messages whose worker was killed are left for a minute; nobody waits for that here.
    await world.client.query(`update gateway_events set received_at = received_at - interval '2 minutes'
      where state in ('received', 'verified')`)
    await tidyPayments(world.context, gateways)
  }
}

async function compare({ client, payu }: Money): Promise<string[]> {
  const differences: string[] = []
  const { rows: left } = await client.query<{ n: number }>(
    `select count(*)::int as n from gateway_events where state in ('received', 'verified')`,
  )
  if ((left[0]?.n ?? 0) > 0) differences.push(`${left[0]?.n} messages wait to be processed`)
  if (payu.waiting().length > 0) differences.push(`${payu.waiting().length} notifications wait to be taken`)

  const captured = payu.orders().filter(({ status }) => status === 'COMPLETED')
  const { rows: postings } = await client.query<{ key: string; currency: string; amount: string }>(
    `select l.key, e.currency, e.amount::text from ledger_transactions l
     join ledger_entries e on e.transaction_id = l.id
     join wallets w on w.ledger_account_id = e.account_id
     where l.scope = 'payment'`,
  )
  const credited = new Map(postings.map((row) => [row.key, `${row.amount} ${row.currency}`]))
  if (credited.size !== postings.length) differences.push('a payment was credited twice')
  for (const { orderId, request } of captured) {
    const posted = credited.get(`payu:${orderId}`)
    const taken = `${request.totalAmount} ${request.currencyCode}`
    if (posted !== taken) differences.push(`payu ${orderId}: taken ${taken}, credited ${posted}`)
    credited.delete(`payu:${orderId}`)
  }
  for (const [key, amount] of credited) differences.push(`${key}: credited ${amount}, taken by nobody`)

  const { rows: accounts } = await client.query<{ currency: string; sum: string }>(
    `select e.currency, (-sum(e.amount))::text as sum from ledger_entries e
     join ledger_accounts a on a.id = e.account_id where a.code like 'gateway:payu:%' group by e.currency`,
  )
  for (const { currency, sum } of accounts) {
    const taken = captured
      .filter(({ request }) => request.currencyCode === currency)
      .reduce((total, { request }) => total + Number(request.totalAmount), 0)
    if (Number(sum) !== taken) differences.push(`gateway:payu:${currency}: ${sum}, taken ${taken}`)
  }
  return differences
}
