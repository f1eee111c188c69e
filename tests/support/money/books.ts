/** The books against those of the payment providers, and documents against the ledger. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { findBroken } from '../ledger.ts'
import { type GatewayId, gatewayIds } from './payments.ts'
import type { World } from './world.ts'

type Books = Pick<World, 'client' | 'providers' | 'workOnce' | 'sendRefunds'>

/**
 * Waits until nothing is under way between the providers and us.
 * @returns what then differs: payments taken and not credited, credited twice or by nothing. Empty: all is well.
 */
export async function findUnsettled(world: Books, patienceMilliseconds = 60_000): Promise<string[]> {
  const end = performance.now() + patienceMilliseconds
  for (;;) {
    const differences = await compare(world)
    if (differences.length === 0 || performance.now() > end) return differences
    await delay(50)
    // Messages whose worker was killed are left for a minute; nobody waits for that here.
    await world.client.query(`update gateway_events set state = 'verified' where state = 'received'
      and received_at < now() - interval '1 second'`)
    const open = world.providers.paid()
    await world.workOnce(open.map(({ transactionId }) => transactionId))
    await world.sendRefunds()
  }
}

async function compare({ client, providers }: Books): Promise<string[]> {
  const differences: string[] = []
  const { rows: left } = await client.query<{ n: number }>(
    `select count(*)::int as n from gateway_events where state in ('received', 'verified')`,
  )
  if ((left[0]?.n ?? 0) > 0) differences.push(`${left[0]?.n} messages wait to be processed`)
  if (providers.waiting() > 0) differences.push(`${providers.waiting()} notifications wait to be taken`)

  const { rows: postings } = await client.query<{ key: string; currency: string; amount: string }>(
    `select l.key, e.currency, e.amount::text from ledger_transactions l
     join ledger_entries e on e.transaction_id = l.id
     join wallets w on w.ledger_account_id = e.account_id
     where l.scope = 'payment'`,
  )
  const credited = new Map(postings.map((row) => [row.key, `${row.amount} ${row.currency}`]))
  if (credited.size !== postings.length) differences.push('a payment was credited twice')
  const taken = new Map<string, number>()
  for (const payment of providers.paid()) {
    const key = `${payment.gateway}:${payment.paidId()}`
    const amount = `${payment.amount} ${payment.currency}`
    if (!payment.isTaken()) differences.push(`${key}: reserved and not taken`)
    if (credited.get(key) !== amount) differences.push(`${key}: taken ${amount}, credited ${credited.get(key)}`)
    credited.delete(key)
    const account = `gateway:${payment.gateway}:${payment.currency}`
    taken.set(account, (taken.get(account) ?? 0) + payment.amount - providers.returnedOf(payment))
  }
  for (const [key, amount] of credited) differences.push(`${key}: credited ${amount}, taken by nobody`)

  const { rows: accounts } = await client.query<{ code: string; sum: string }>(
    `select a.code, (-sum(e.amount))::text as sum from ledger_entries e
     join ledger_accounts a on a.id = e.account_id where a.code like 'gateway:%' group by a.code`,
  )
  for (const { code, sum } of accounts) {
    if (Number(sum) !== (taken.get(code) ?? 0)) differences.push(`${code}: ${sum}, taken ${taken.get(code) ?? 0}`)
  }
  return differences
}

/** The nightly comparison with every provider, for every day on which something was paid or went back. @returns what it finds. */
export async function reconcileAll({ client, compareDay }: World): Promise<unknown[]> {
  const { rows: days } = await client.query<{ gateway: GatewayId; day: string }>(
    `select distinct o.gateway, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD') as day from payment_orders o
     join ledger_transactions l on l.id = o.ledger_transaction_id
     union select gateway, to_char(day, 'YYYY-MM-DD') from reconciliations order by 1, 2`,
  )
  for (const { gateway, day } of days) await compareDay(gateway, new Date(day))
  const { rows } = await client.query(`select * from reconciliation_lines limit 5`)
  return [...rows, ...(days.length === 0 ? [`nothing was paid at ${gatewayIds.join(', ')}`] : [])]
}

/** Each query finds what breaks its rule. */
const documentRules: Record<string, string> = {
  'a document says what the ledger does': `
    select d.id, d.net, d.vat, d.gross from documents d
    join transactions t on t.id = d.transaction_id
    join ledger_entries e on e.transaction_id = t.ledger_transaction_id
    join ledger_accounts a on a.id = e.account_id
    group by d.id having
      coalesce(sum(e.amount) filter (where a.code like 'revenue:%'), 0) <> d.net
      or coalesce(sum(e.amount) filter (where a.code like 'vat:%'), 0) <> d.vat or d.net + d.vat <> d.gross`,
  'numbers of a series have no gap': `
    select kind, year from documents group by kind, year having max(number) <> count(*) or min(number) <> 1`,
  'every sale has one document': `
    select t.id from transactions t join ledger_entries e on e.transaction_id = t.ledger_transaction_id
    join ledger_accounts a on a.id = e.account_id and a.code like 'revenue:%'
    left join documents d on d.transaction_id = t.id group by t.id having count(distinct d.id) <> 1`,
  'no voucher is used more often than it may be': `
    select v.id from vouchers v join voucher_uses u on u.voucher_id = v.id
    group by v.id having count(*) > v.uses or v.uses_left < 0`,
  'a service and period are charged once, unless something was withdrawn from in between': `
    select first.service_id, first.expires_before, first.at, second.at as again, second.key from renewals first
    join renewals second on second.service_id = first.service_id and second.expires_before = first.expires_before
      and second.id > first.id
    where not exists (select from withdrawals w where w.service_id = first.service_id
      and w.confirmed_at between first.at and second.at)`,
}

/** Names of the rules that are broken, each with what breaks it. Empty: all is well. */
export const findDocumentFaults = (client: Pick<pg.Pool, 'query'>) => findBroken(client, documentRules)
