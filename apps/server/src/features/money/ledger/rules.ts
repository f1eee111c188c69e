/** What must hold of the money in a database at every moment; read by tests, and after a restore. */

/** Each query finds what breaks its rule. */
const ledgerRules: Readonly<Record<string, string>> = {
  'all entries of a currency sum to zero': `
    select currency, sum(amount) from ledger_entries group by currency having sum(amount) <> 0`,
  'every transaction sums to zero in each currency': `
    select transaction_id, currency, sum(amount) from ledger_entries group by 1, 2 having sum(amount) <> 0`,
  'every entry moves something': `select transaction_id from ledger_entries where amount = 0`,
  'every transaction has two entries or more': `
    select t.id from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
    group by t.id having count(e.transaction_id) < 2`,
  'a balance is the sum of its entries': `
    select a.code from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.tracked group by a.id having a.posted <> coalesce(sum(e.amount), 0) or a.version <> count(e.account_id)`,
  'an account has entries in its own currency only': `
    select e.transaction_id from ledger_entries e left join ledger_accounts a on a.id = e.account_id and a.currency = e.currency
    where a.id is null`,
  'balances follow one another without a gap': `
    select account_id, account_version from (
      select account_id, account_version, amount, balance_after,
        lag(balance_after, 1, 0::bigint) over w as before, lag(account_version, 1, 0::bigint) over w as previous
      from ledger_entries where account_version is not null
      window w as (partition by account_id order by account_version)
    ) chain where balance_after <> before + amount or account_version <> previous + 1`,
  'no wallet is below zero': `select code from ledger_accounts where floor is not null and posted - held < floor`,
  'no wallet ever was below zero': `
    select e.account_id from ledger_entries e join ledger_accounts a on a.id = e.account_id
    where a.floor is not null and e.balance_after < a.floor`,
  'no wallet holds more credit than money': `
    select c.code from ledger_accounts c join ledger_accounts w on w.code = 'wallet:' || substr(c.code, 8)
    where c.code like 'credit:%' and c.posted > w.posted`,
  'held is the sum of the open holds': `
    select a.code from ledger_accounts a left join ledger_holds h on h.account_id = a.id and h.state = 'held'
    group by a.id having a.held <> coalesce(sum(h.amount), 0)`,
  'a posted hold took no more than it held, from its own account': `
    select h.id from ledger_holds h
    left join ledger_entries e on e.transaction_id = h.transaction_id and e.account_id = h.account_id
    where h.state = 'posted' and (e.amount is null or e.amount >= 0 or -e.amount > h.amount)`,
  'a completed transaction of some amount was posted, and no other was': `
    select id from transactions where (ledger_transaction_id is not null) <> (status in ('COMPLETED', 'ADMIN_ACTION') and (amount <> 0 or action = 'TOP_UP_TAX'))`,
  'a transaction and its posting move the same amount on the same wallet': `
    select t.id, t.action, t.provider, t.amount, e.amount as moved from transactions t
    join wallets w on w.id = t.wallet_id
    left join ledger_entries e on e.transaction_id = t.ledger_transaction_id and e.account_id = w.ledger_account_id
    where t.ledger_transaction_id is not null and t.action <> 'TOP_UP_TAX'
      and (e.amount is null or abs(e.amount) <> abs(t.amount) or e.currency <> t.currency
        or (e.amount > 0) <> ((t.action in ('DEPOSIT', 'VOUCHER_USE', 'ITEMSHOP_SELL')) = (t.amount > 0)))`,
  'every payment and purchase in the ledger is a transaction of a customer': `
    select l.id from ledger_transactions l
    left join transactions t on t.ledger_transaction_id = l.id
    left join payment_orders o on o.ledger_transaction_id = l.id
    where l.scope in ('payment', 'purchase') and t.id is null and o.id is null`,
  'what somebody owes is on their open bills and debts': `
    select code from (
      select a.code, sum(e.amount) as posted from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.code ~ '^receivable:[0-9a-f-]{36}:[A-Z]{3}$' group by a.code
    ) owed where -posted <> coalesce((select sum(amount) from bills
        where paid_at is null and 'receivable:' || user_id || ':' || currency = code), 0)
      + coalesce((select sum(open) from debts where 'receivable:' || user_id || ':' || currency = code), 0)`,
  'nobody owes what no account holds': `
    select d.id from debts d where open > 0 and not exists (
      select from ledger_accounts where code = 'receivable:' || d.user_id || ':' || d.currency)`,
  'what waits at a gateway is refunds that are under way': `
    select code from (
      select a.code, sum(e.amount) as posted from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.code like 'gateway:%:refunds:%' group by a.code
    ) waiting where posted <> coalesce((select sum(amount) from payment_returns
      where state in ('REQUESTED', 'SENT') and 'gateway:' || gateway || ':refunds:' || currency = code), 0)`,
  'no refund is of more than its payment brought': `
    select r.order_id from payment_returns r join transactions t on t.id = r.deposit_id
    where r.kind = 'refund' and r.state not in ('FAILED', 'RETURNED') group by r.order_id, t.amount having sum(r.amount) > t.amount`,
  'what a gateway gave and took is the payments less what went back': `
    select o.gateway, t.currency from payment_orders o join transactions t on t.id = o.transaction_id where o.state = 'paid'
    group by 1, 2 having sum(t.amount) - coalesce((select sum(amount) from payment_returns r
        where r.gateway = o.gateway and r.currency = t.currency and r.state = 'COMPLETED'), 0)
      <> (select -sum(e.amount) from ledger_entries e join ledger_accounts a on a.id = e.account_id
        join ledger_transactions l on l.id = e.transaction_id
        where a.code = 'gateway:' || o.gateway || ':' || t.currency and (l.scope <> 'payment' or exists (
          select from payment_orders p where p.ledger_transaction_id = l.id)))`,
  'what was taxed when it was paid in is what is left of taxed top-ups': `
    select code, posted from (
      select a.code, a.currency, sum(e.amount) as posted from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.code like 'prepaid:%' group by a.id
    ) prepaid full join (
      select currency, sum(left_money + left_credit) as still_there from taxed_top_ups group by currency
    ) top_ups using (currency) where -coalesce(posted, 0) <> coalesce(still_there, 0)`,
  'no wallet holds more taxed money, or taxed credit, than it holds at all': `
    select t.wallet_id from taxed_top_ups t join ledger_accounts w on w.code = 'wallet:' || t.wallet_id
    left join ledger_accounts c on c.code = 'credit:' || t.wallet_id
    group by t.wallet_id, w.posted, c.posted
    having sum(left_money) > w.posted - coalesce(c.posted, 0) or sum(left_credit) > coalesce(c.posted, 0)`,
  'a taxed top-up is left, spent, or given back': `
    select t.id from taxed_top_ups t where t.amount <> t.returned + t.left_money + t.left_credit
      + coalesce((select sum(amount - back) from taxed_uses where top_up_id = t.id and kind = 'spent'), 0)`,
  'what taxed top-ups added to revenue and VAT is what of them was not given back': `
    select t.id from taxed_top_ups t left join (
      select top_up_id, sum(e.amount) as added from (
        select id as top_up_id, ledger_transaction_id from transactions where id in (select id from taxed_top_ups)
        union select (details ->> 'top_up_id')::uuid, ledger_transaction_id from transactions
          where action = 'TOP_UP_TAX' and details ? 'top_up_id'
      ) made join ledger_entries e on e.transaction_id = made.ledger_transaction_id
      join ledger_accounts a on a.id = e.account_id and (a.code like 'revenue:%' or a.code like 'vat:%')
      group by top_up_id
    ) made on made.top_up_id = t.id
    where t.amount - t.returned <> coalesce(made.added, 0)`,
  'every paid order was posted under its own name': `
    select o.id from payment_orders o left join ledger_transactions l on l.id = o.ledger_transaction_id
    where o.state = 'paid' and (l.scope, l.key) is distinct from ('payment', o.gateway || ':' || o.payment_id)`,
}

type Queryable = { query(text: string): Promise<{ rows: unknown[] }> }

/** Of rules that are queries for what breaks them, the broken ones, each with some of what breaks it. */
export async function findBroken(
  client: Queryable,
  queries: Readonly<Record<string, string>>,
): Promise<Record<string, unknown[]>> {
  const faults: Record<string, unknown[]> = {}
  for (const [rule, query] of Object.entries(queries)) {
    const { rows } = await client.query(query)
    if (rows.length > 0) faults[rule] = rows.slice(0, 5)
  }
  return faults
}

/** Names of the rules that are broken. Empty: all is well. */
export const findLedgerFaults = (client: Queryable) => findBroken(client, ledgerRules)
