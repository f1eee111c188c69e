-- Double entry. Everything that money does is a posting of at least two entries that sum to zero in each currency.
-- Signs: plus is what the business owes the customer (a wallet's balance, revenue earned, tax to hand over);
-- minus is what came in from a payment gateway.
--
-- The functions below are the only writers: they alone run with `wakestone.ledger` set, and the guards on the tables
-- refuse every other statement, the table owner's included. See docs/decisions/0002-ledger-writes.md.

create table ledger_accounts (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique,
  currency char(3) not null,
  -- Only wallets keep a running balance: one row that every purchase updates would serialise all of them.
  tracked boolean not null,
  posted bigint not null default 0,
  held bigint not null default 0,
  -- The least that may be left after postings and holds; null: none.
  floor bigint,
  version bigint not null default 0,
  -- One constraint, because each is parsed anew by every posting.
  constraint ledger_accounts_funds check (held >= 0 and (floor is null or posted - held >= floor))
) with (fillfactor = 50); -- a balance that changes stays on its page

create table ledger_transactions (
  id uuid primary key,
  -- The idempotency key: one (scope, key) is posted once, whatever is tried.
  scope text not null,
  key text not null,
  request_hash bytea not null,
  kind text not null,
  reverses uuid,
  at timestamptz not null default now(),
  meta jsonb not null default '{}',
  unique (scope, key)
);
create unique index ledger_transactions_reverses on ledger_transactions (reverses) where reverses is not null;

create table ledger_entries (
  -- No foreign keys: checking one would lock the row of an account that all postings share. `ledger_post` has just made
  -- the one and read the other, neither is ever removed, and nothing else writes.
  transaction_id uuid not null,
  account_id bigint not null,
  currency char(3) not null,
  amount bigint not null, -- never zero
  -- Of tracked accounts: the balance after this entry and its number in an unbroken row.
  balance_after bigint,
  account_version bigint,
  -- Of tracked accounts: names the movement towards its owner.
  id uuid,
  primary key (transaction_id, account_id)
);
create unique index ledger_entries_account_version on ledger_entries (account_id, account_version) where account_version is not null;

create table ledger_holds (
  id uuid primary key,
  account_id bigint not null references ledger_accounts,
  amount bigint not null check (amount > 0),
  state text not null default 'held' check (state in ('held', 'posted', 'voided', 'expired')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  transaction_id uuid unique references ledger_transactions,
  check ((state = 'posted') = (transaction_id is not null))
);
create index ledger_holds_open on ledger_holds (expires_at) where state = 'held';

-- Guards: one trigger per table without a condition of its own, which would be parsed anew by every statement.

-- Transactions and entries: added by `ledger_post` alone, never changed or removed.
create function ledger_guard_posting() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and current_setting('wakestone.ledger', true) = 'posting' then return null; end if;
  raise exception '% is written by ledger_post only, and nothing in it is ever changed or removed', tg_table_name using errcode = 'WL403';
end $$;
-- Accounts and holds: changed by the functions below, never removed.
create function ledger_guard_account() returns trigger language plpgsql as $$
begin
  if tg_op in ('INSERT', 'UPDATE') and current_setting('wakestone.ledger', true) in ('posting', 'open') then return null; end if;
  raise exception '% is written by the functions of the ledger only, and nothing in it is ever removed', tg_table_name using errcode = 'WL403';
end $$;
create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'what identifies a row of % never changes', tg_table_name using errcode = 'WL403';
end $$;
create trigger guard before insert or update or delete or truncate on ledger_transactions for each statement execute function ledger_guard_posting();
create trigger guard before insert or update or delete or truncate on ledger_entries for each statement execute function ledger_guard_posting();
create trigger guard before insert or update or delete or truncate on ledger_accounts for each statement execute function ledger_guard_account();
create trigger guard before insert or update or delete or truncate on ledger_holds for each statement execute function ledger_guard_account();
create trigger identity before update of id, code, currency, tracked, floor on ledger_accounts for each statement execute function ledger_refuse();
create trigger identity before update of id, account_id, amount, expires_at on ledger_holds for each statement execute function ledger_refuse();

-- Functions.

-- Opens an account, or finds the one that has this code. Its currency and kind must be the same.
create function ledger_open_account(p_code text, p_currency text, p_tracked boolean, p_floor bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'open' as $$
declare known ledger_accounts;
begin
  if p_tracked <> starts_with(p_code, 'wallet:') or (p_floor is not null and not p_tracked) then
    raise exception 'wallets, and only they, have a balance and a floor' using errcode = 'WL400';
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

-- Posts `p_entries`, an array of {code, currency, amount}, once per (scope, key).
-- Returns the posting's id: `p_id` when it was made now, the earlier one's when the same was posted before.
-- Accounts of gateways, revenue and tax are opened when first used. A hold, if named, is released by the posting, which
-- must take at most what was held and from the account that held it.
-- Errors: WL409 the key was used for something else; WL404 no such account or hold; WL400 a posting that makes no sense;
-- 23514 on `ledger_accounts_funds` when an account lacks funds.
create function ledger_post(p_id uuid, p_scope text, p_key text, p_kind text, p_entries jsonb, p_meta jsonb default '{}', p_hold uuid default null, p_reverses uuid default null)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'posting'
-- Plans are made while the tables are small, and kept while they grow: always by index.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_text text := p_entries::text;
  v_hash bytea := sha256(convert_to(concat_ws(E'\n', p_kind, v_text, p_hold::text, p_reverses::text), 'UTF8'));
  v_known ledger_transactions;
  v_hold ledger_holds;
  v_missing record;
  v_count bigint;
  v_sum numeric;
  v_one_currency boolean;
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

  if p_reverses is not null and not exists (select 1 from ledger_transactions where id = p_reverses) then
    raise exception 'no such transaction to reverse' using errcode = 'WL404';
  end if;
  -- Two wallets or more: locked in one order by all postings, so that no two wait for each other.
  if v_text like '%"wallet:%"wallet:%' then
    perform 1 from ledger_accounts where code in (select e->>'code' from jsonb_array_elements(p_entries) e) and tracked
      order by id for no key update;
  end if;
  with wanted as materialized (
    select a.id, a.tracked, w.currency, w.amount
    from jsonb_to_recordset(p_entries) as w(code text collate "C", currency char(3), amount bigint)
    join ledger_accounts a on a.code = w.code and a.currency = w.currency
  ), moved as (
    update ledger_accounts a set posted = a.posted + w.amount, version = a.version + 1 from wanted w
      where a.id = w.id and w.tracked returning a.id, w.currency, w.amount, a.posted, a.version
  ), written as (
    insert into ledger_entries (transaction_id, account_id, currency, amount, balance_after, account_version, id)
      select p_id, moved.*, uuidv7() from moved
      union all select p_id, id, currency, amount, null, null, null from wanted where not tracked
      returning currency, amount
  )
  select count(nullif(amount, 0)), sum(amount), min(currency) = max(currency) into v_count, v_sum, v_one_currency from written;
  if v_count < jsonb_array_length(p_entries) then
    for v_missing in
      select w.* from jsonb_to_recordset(p_entries) as w(code text collate "C", currency text, amount bigint)
      where not exists (select 1 from ledger_accounts a where a.code = w.code) order by w.code
    loop
      if v_missing.code !~ '^(gateway|revenue|vat)(:[A-Za-z0-9-]+)+$' then
        raise exception 'no account %', v_missing.code using errcode = 'WL404';
      end if;
      insert into ledger_entries (transaction_id, account_id, currency, amount)
        values (p_id, ledger_open_account(v_missing.code, v_missing.currency, false, null), v_missing.currency, v_missing.amount);
    end loop;
    select count(nullif(amount, 0)), sum(amount), min(currency) = max(currency) into v_count, v_sum, v_one_currency
      from ledger_entries where transaction_id = p_id;
    if v_count < jsonb_array_length(p_entries) then
      raise exception 'an account occurs twice, has another currency, or nothing moves on it' using errcode = 'WL400';
    end if;
  end if;
  if v_count < 2 then
    raise exception 'a posting has at least two entries' using errcode = 'WL400';
  end if;
  if v_one_currency and v_sum <> 0 or not v_one_currency and exists (
    select 1 from ledger_entries where transaction_id = p_id group by currency having sum(amount) <> 0
  ) then
    raise exception 'the entries do not balance' using errcode = 'WL400';
  end if;
  return p_id;
end $$;

-- Puts funds of a tracked account aside. The same hold again is the same hold.
create function ledger_hold(p_id uuid, p_code text, p_amount bigint, p_expires timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'open' as $$
declare v_account bigint; v_known ledger_holds;
begin
  select id into v_account from ledger_accounts where code = p_code and tracked;
  if not found then raise exception 'no account % that can hold', p_code using errcode = 'WL404'; end if;
  insert into ledger_holds (id, account_id, amount, expires_at) values (p_id, v_account, p_amount, p_expires) on conflict (id) do nothing;
  if not found then
    select * into strict v_known from ledger_holds where id = p_id;
    if (v_known.account_id, v_known.amount) <> (v_account, p_amount) then
      raise exception 'the id was used for another hold' using errcode = 'WL409';
    end if;
    return;
  end if;
  update ledger_accounts set held = held + p_amount where id = v_account;
end $$;

-- Gives back what was put aside. True when it was this call that did so.
create function ledger_void_hold(p_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'open' as $$
declare v_hold ledger_holds;
begin
  update ledger_holds set state = 'voided' where id = p_id and state = 'held' returning * into v_hold;
  if not found then return false; end if;
  update ledger_accounts set held = held - v_hold.amount where id = v_hold.account_id;
  return true;
end $$;

-- Gives back what was put aside for too long. Returns how many holds ended.
create function ledger_expire_holds() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'open' as $$
declare v_hold record; v_count integer := 0;
begin
  for v_hold in select id from ledger_holds where state = 'held' and expires_at <= now() order by account_id, id for update skip locked loop
    update ledger_holds set state = 'expired' where id = v_hold.id;
    update ledger_accounts a set held = held - h.amount from ledger_holds h where h.id = v_hold.id and a.id = h.account_id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- A role that is not the owner may read, and write through the functions, once it is granted them.
revoke all on ledger_accounts, ledger_transactions, ledger_entries, ledger_holds from public;
revoke all on function
  ledger_open_account(text, text, boolean, bigint), ledger_post(uuid, text, text, text, jsonb, jsonb, uuid, uuid),
  ledger_hold(uuid, text, bigint, timestamptz), ledger_void_hold(uuid), ledger_expire_holds() from public;

-- Wallets: an account with a floor of zero that belongs to a user.

create table wallets (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  currency char(3) not null,
  ledger_account_id bigint not null unique references ledger_accounts,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  unique (user_id, currency),
  -- What refers to a wallet names its owner and currency too, so that they cannot differ.
  unique (id, user_id, currency)
);

create function wallet_account_matches() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_accounts where id = new.ledger_account_id and code = 'wallet:' || new.id and currency = new.currency and floor = 0) then
    raise exception 'a wallet has its own account, in its currency, that cannot go below zero' using errcode = 'WL400';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.user_id, new.currency, new.ledger_account_id) is distinct from (old.id, old.user_id, old.currency, old.ledger_account_id) then
    raise exception 'a wallet keeps its owner, currency and account' using errcode = 'WL403';
  end if;
  return new;
end $$;
create trigger account before insert or update on wallets for each row execute function wallet_account_matches();
