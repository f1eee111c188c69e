-- More kinds of accounts, credits beside purchases, and `ledger_post` by fewer statements.

-- Three kinds of account keep a running balance: a wallet; the part of a wallet that never leaves to a payment gateway
-- (`credit:`, with `credits:` as its other side); what a partner has earned (`commission:`).
create function ledger_is_tracked(p_code text) returns boolean language sql immutable parallel safe
  return p_code like any (array['wallet:%', 'credit:%', 'commission:%']);

create or replace function ledger_open_account(p_code text, p_currency text, p_tracked boolean, p_floor bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'open' as $$
declare known ledger_accounts;
begin
  if p_tracked <> public.ledger_is_tracked(p_code) or (p_floor is not null and not p_tracked) then
    raise exception 'wallets, credit and commission, and only they, have a balance and a floor' using errcode = 'WL400';
  end if;
  select * into known from ledger_accounts where code = p_code;
  if not found then
    insert into ledger_accounts (code, currency, tracked, floor) values (p_code, p_currency, p_tracked, p_floor)
      on conflict (code) do nothing returning * into known;
    if not found then select * into strict known from ledger_accounts where code = p_code; end if;
  end if;
  if known.currency <> p_currency or known.tracked <> p_tracked or known.floor is distinct from p_floor then
    raise exception 'account % is another kind of account', p_code using errcode = 'WL400';
  end if;
  return known.id;
end $$;

-- As before, but for the order: entries come sorted by code ("C"), which is also the order in which accounts are locked,
-- so that two postings that share some wait for each other in one order, and an account cannot occur twice.
create or replace function ledger_post(p_id uuid, p_scope text, p_key text, p_kind text, p_entries jsonb, p_meta jsonb default '{}', p_hold uuid default null, p_reverses uuid default null)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'posting'
-- Plans are made while the tables are small, and kept while they grow: always by index.
set enable_seqscan = off
as $$
declare
  v_hash bytea := sha256(convert_to(concat_ws(E'\n', p_kind, p_entries::text, p_hold::text, p_reverses::text), 'UTF8'));
  v_known ledger_transactions;
  v_hold ledger_holds;
  v_entry jsonb;
  v_code text collate "C";
  v_before text collate "C" := '';
  v_currency char(3);
  v_amount bigint;
  v_account bigint;
  v_account_currency char(3);
  v_balance bigint;
  v_version bigint;
  v_accounts bigint[] := '{}';
  v_currencies text[] := '{}';
  v_amounts bigint[] := '{}';
  v_balances bigint[] := '{}';
  v_versions bigint[] := '{}';
begin
  insert into ledger_transactions (id, scope, key, request_hash, kind, meta, reverses)
    values (p_id, p_scope, p_key, v_hash, p_kind, p_meta, p_reverses)
    on conflict (scope, key) do nothing;
  if not found then
    select * into strict v_known from ledger_transactions where scope = p_scope and key = p_key;
    if v_known.request_hash <> v_hash then
      raise exception 'the key was used for another posting' using errcode = 'WL409';
    end if;
    return v_known.id;
  end if;

  if p_hold is not null then
    select * into v_hold from ledger_holds where id = p_hold for update;
    if not found then raise exception 'no such hold' using errcode = 'WL404'; end if;
    if v_hold.state <> 'held' or v_hold.expires_at <= now() then
      raise exception 'the hold is % already', case when v_hold.state = 'held' then 'expired' else v_hold.state end using errcode = 'WL400';
    end if;
    if not exists (
      select 1 from jsonb_to_recordset(p_entries) as e(code text, amount bigint)
      join ledger_accounts a on a.code = e.code
      where a.id = v_hold.account_id and e.amount < 0 and -e.amount <= v_hold.amount
    ) then
      raise exception 'the posting takes more than was held, or from another account' using errcode = 'WL400';
    end if;
    update ledger_holds set state = 'posted', transaction_id = p_id where id = p_hold;
    update ledger_accounts set held = held - v_hold.amount where id = v_hold.account_id;
  end if;

  if p_reverses is not null then
    if not exists (select 1 from ledger_transactions where id = p_reverses) then
      raise exception 'no such transaction to reverse' using errcode = 'WL404';
    end if;
  end if;

  for v_index in 0 .. jsonb_array_length(p_entries) - 1 loop
    v_entry := p_entries -> v_index;
    v_code := v_entry ->> 'code';
    v_currency := v_entry ->> 'currency';
    v_amount := v_entry ->> 'amount';
    if v_code is null or v_code <= v_before or coalesce(v_amount, 0) = 0 then
      raise exception 'an account occurs twice or out of order, or nothing moves on it' using errcode = 'WL400';
    end if;
    v_before := v_code;
    v_balance := null;
    v_version := null;
    if ledger_is_tracked(v_code) then
      update ledger_accounts set posted = posted + v_amount, version = version + 1 where code = v_code
        returning id, currency, posted, version into v_account, v_account_currency, v_balance, v_version;
    else
      select id, currency into v_account, v_account_currency from ledger_accounts where code = v_code;
      if not found then
        -- These are opened when first used; somebody else may do so at this moment.
        if v_code !~ '^(gateway|revenue|vat|promotion|adjustment|affiliate|credits|receivable)(:[A-Za-z0-9-]+)+$' then
          raise exception 'no account %', v_code using errcode = 'WL404';
        end if;
        v_account := ledger_open_account(v_code, v_currency, false, null);
        v_account_currency := v_currency;
      end if;
    end if;
    if v_account is null then raise exception 'no account %', v_code using errcode = 'WL404'; end if;
    if v_account_currency is distinct from v_currency then
      raise exception 'account % has another currency', v_code using errcode = 'WL400';
    end if;
    v_accounts := v_accounts || v_account;
    v_currencies := v_currencies || v_currency::text;
    v_amounts := v_amounts || v_amount;
    v_balances := v_balances || v_balance;
    v_versions := v_versions || v_version;
  end loop;
  if cardinality(v_accounts) < 2 then
    raise exception 'a posting has at least two entries' using errcode = 'WL400';
  end if;
  -- By one statement: the table refuses what does not balance.
  insert into ledger_entries (transaction_id, account_id, currency, amount, balance_after, account_version, id)
    select p_id, e.account, e.currency, e.amount, e.balance, e.version, case when e.version is not null then uuidv7() end
    from unnest(v_accounts, v_currencies, v_amounts, v_balances, v_versions) as e(account, currency, amount, balance, version);
  return p_id;
end $$;

-- One trigger instead of two looks after what is added to the entries: who writes, and that it balances.
create or replace function ledger_check_balance() returns trigger language plpgsql as $$
begin
  if current_setting('wakestone.ledger', true) is distinct from 'posting' then
    raise exception 'ledger_entries is written by ledger_post only, and nothing in it is ever changed or removed' using errcode = 'WL403';
  end if;
  perform 1 from added group by transaction_id, currency having sum(amount) <> 0 limit 1;
  if found then raise exception 'the entries do not balance' using errcode = 'WL400'; end if;
  return null;
end $$;
drop trigger guard on ledger_entries;
create trigger guard before update or delete or truncate on ledger_entries for each statement execute function ledger_guard_posting();

-- What customers see of money that moves the other way has a negative amount: a purchase given back to the wallet, a
-- top-up given back to the payer.
alter table transactions drop constraint transactions_posted;
alter table transactions add constraint transactions_posted check ((ledger_transaction_id is not null) = (status = 'COMPLETED' and amount <> 0));
alter table transactions drop constraint transactions_amount_check;
alter table transactions add constraint transactions_amount_check check (amount >= 0 or status = 'COMPLETED' or action = 'DEPOSIT');
alter table transactions drop constraint transactions_provider_check;
alter table transactions add constraint transactions_provider_check check (provider in ('wallet', 'payu', 'paypal', 'paynow', 'blik', 'affiliate', 'pay-later'));
