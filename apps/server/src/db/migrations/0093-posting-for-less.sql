-- A posting for less. What it writes is kept as rows instead of as five arrays of columns, and conditions are one where they
-- were two: each expression of a function is prepared anew in every transaction. What is refused stays the same; that
-- entries balance, and that there are two at least (one, never zero, cannot balance), the table sees to.
--
-- And the index of movements is narrow again: one that carries the whole entry cost each posting a page of its own to be
-- written in full after a checkpoint, which is more than the pages of movements gained by it.
drop index ledger_entries_account_version;
create unique index ledger_entries_account_version on ledger_entries (account_id, account_version) where account_version is not null;

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
  v_entries ledger_entries[];
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
    if ledger_is_tracked(v_code) then
      update ledger_accounts set posted = posted + v_amount, version = version + 1 where code = v_code
        returning id, currency, posted, version into v_account, v_account_currency, v_balance, v_version;
    else
      select id, currency, null, null into v_account, v_account_currency, v_balance, v_version from ledger_accounts where code = v_code;
      if not found then
        -- These are opened when first used; somebody else may do so at this moment.
        if v_code !~ '^(gateway|revenue|prepaid|vat|promotion|adjustment|affiliate|credits|receivable)(:[A-Za-z0-9-]+)+$' then
          raise exception 'no account %', v_code using errcode = 'WL404';
        end if;
        v_account := ledger_open_account(v_code, v_currency, false, null);
        v_account_currency := v_currency;
      end if;
    end if;
    if v_account is null or v_account_currency is distinct from v_currency then
      if v_account is null then raise exception 'no account %', v_code using errcode = 'WL404'; end if;
      raise exception 'account % has another currency', v_code using errcode = 'WL400';
    end if;
    v_entries := v_entries || row(p_id, v_account, v_currency, v_amount, v_balance, v_version, case when v_version is not null then uuidv7() end)::ledger_entries;
  end loop;
  -- By one statement: the table refuses what does not balance.
  insert into ledger_entries select * from unnest(v_entries);
  return p_id;
end $$;

-- As before, but a statement that adds nothing is refused too: `ledger_post` counts no entries any more.
create or replace function ledger_check_balance() returns trigger language plpgsql as $$
declare
  v_sum numeric;
  v_is_one boolean;
begin
  if current_setting('wakestone.ledger', true) is distinct from 'posting' then
    raise exception 'ledger_entries is written by ledger_post only, and nothing in it is ever changed or removed' using errcode = 'WL403';
  end if;
  select sum(amount), min(currency) = max(currency) into v_sum, v_is_one from added;
  if not v_is_one then
    perform 1 from added group by transaction_id, currency having sum(amount) <> 0 limit 1;
    if found then raise exception 'the entries do not balance' using errcode = 'WL400'; end if;
  elsif v_sum is distinct from 0 then
    raise exception 'the entries do not balance' using errcode = 'WL400';
  end if;
  return null;
end $$;
