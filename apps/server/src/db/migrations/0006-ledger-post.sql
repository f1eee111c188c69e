-- `ledger_post` anew, with what it did before and two changes:
-- * Accounts that are missing are opened before anything is written. Two first postings to the same account at the same
--   time used to fail one of them: what the second one missed was there when it looked again.
-- * Entries are written by one statement, so the table itself can refuse what does not balance.

create or replace function ledger_post(p_id uuid, p_scope text, p_key text, p_kind text, p_entries jsonb, p_meta jsonb default '{}', p_hold uuid default null, p_reverses uuid default null)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'posting'
-- Plans are made while the tables are small, and kept while they grow: always by index.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
-- Conditions that look into a table stand in an `if` of their own: only plain ones are evaluated without a query.
declare
  v_text text := p_entries::text;
  v_hash bytea := sha256(convert_to(concat_ws(E'\n', p_kind, v_text, p_hold::text, p_reverses::text), 'UTF8'));
  v_wanted integer := jsonb_array_length(p_entries);
  v_known ledger_transactions;
  v_hold ledger_holds;
  v_missing record;
  v_count bigint;
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
  if v_wanted < 2 then
    raise exception 'a posting has at least two entries' using errcode = 'WL400';
  end if;
  -- Two wallets or more: locked in one order by all postings, so that no two wait for each other.
  if v_text like '%"wallet:%"wallet:%' then
    perform 1 from ledger_accounts where code in (select e->>'code' from jsonb_array_elements(p_entries) e) and tracked
      order by id for no key update;
  end if;

  for v_try in 1..2 loop
    with wanted as materialized (
      select a.id, a.tracked, w.currency, w.amount
      from jsonb_to_recordset(p_entries) as w(code text collate "C", currency char(3), amount bigint)
      join ledger_accounts a on a.code = w.code and a.currency = w.currency
      where w.amount <> 0
    ), complete as materialized (
      select count(*) = v_wanted as yes from wanted
    ), moved as (
      update ledger_accounts a set posted = a.posted + w.amount, version = a.version + 1 from wanted w
        where a.id = w.id and w.tracked and (select yes from complete) returning a.id, w.currency, w.amount, a.posted, a.version
    ), written as (
      insert into ledger_entries (transaction_id, account_id, currency, amount, balance_after, account_version, id)
        select p_id, moved.*, uuidv7() from moved
        union all select p_id, id, currency, amount, null, null, null from wanted where not tracked and (select yes from complete)
        returning 1
    )
    select count(*) into v_count from written;
    exit when v_count = v_wanted;
    if v_try = 2 or v_count > 0 then
      raise exception 'an account occurs twice, has another currency, or nothing moves on it' using errcode = 'WL400';
    end if;
    -- Accounts of gateways, revenue and tax are opened when first used; somebody else may do so at this moment.
    for v_missing in
      select w.* from jsonb_to_recordset(p_entries) as w(code text collate "C", currency text)
      where not exists (select 1 from ledger_accounts a where a.code = w.code) order by w.code
    loop
      if v_missing.code !~ '^(gateway|revenue|vat)(:[A-Za-z0-9-]+)+$' then
        raise exception 'no account %', v_missing.code using errcode = 'WL404';
      end if;
      perform ledger_open_account(v_missing.code, v_missing.currency, false, null);
    end loop;
  end loop;
  return p_id;
end $$;

-- What one statement adds to the entries balances, in each posting and currency. `ledger_post` adds a posting's entries
-- by one statement; whatever else should ever do so is held to the same.
create function ledger_check_balance() returns trigger language plpgsql as $$
begin
  perform 1 from added group by transaction_id, currency having sum(amount) <> 0 limit 1;
  if found then raise exception 'the entries do not balance' using errcode = 'WL400'; end if;
  return null;
end $$;
create trigger balance after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_check_balance();
