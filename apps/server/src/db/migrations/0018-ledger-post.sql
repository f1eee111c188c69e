-- `ledger_post` anew, with what it did before in plainer statements: one entry after the other instead of one statement of
-- five parts, whose preparation took longer than its work. All wallets of a posting are taken in one order.

create or replace function ledger_post(p_id uuid, p_scope text, p_key text, p_kind text, p_entries jsonb, p_meta jsonb default '{}', p_hold uuid default null, p_reverses uuid default null)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set wakestone.ledger = 'posting'
-- Plans are made while the tables are small, and kept while they grow: always by index.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_hash bytea := sha256(convert_to(concat_ws(E'\n', p_kind, p_entries::text, p_hold::text, p_reverses::text), 'UTF8'));
  v_known ledger_transactions;
  v_hold ledger_holds;
  v_entry record;
  v_account bigint;
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

  -- Missing accounts first, by code; then wallets, by id: two postings that share some wait for each other in one order.
  for v_entry in
    select a.id, a.tracked, a.currency as account_currency, w.code, w.currency, w.amount
    from jsonb_to_recordset(p_entries) as w(code text collate "C", currency char(3), amount bigint)
    left join ledger_accounts a on a.code = w.code
    order by a.id nulls first, w.code
  loop
    v_account := v_entry.id;
    v_balance := null;
    v_version := null;
    if v_account is null then
      -- Accounts of gateways, revenue and tax are opened when first used; somebody else may do so at this moment.
      if coalesce(v_entry.code, '') !~ '^(gateway|revenue|vat)(:[A-Za-z0-9-]+)+$' then
        raise exception 'no account %', v_entry.code using errcode = 'WL404';
      end if;
      v_account := ledger_open_account(v_entry.code, v_entry.currency, false, null);
    elsif v_entry.account_currency is distinct from v_entry.currency then
      v_entry.amount := 0;
    elsif v_entry.tracked and v_entry.amount <> 0 then
      update ledger_accounts set posted = posted + v_entry.amount, version = version + 1 where id = v_account
        returning posted, version into v_balance, v_version;
    end if;
    if coalesce(v_entry.amount, 0) = 0 or v_account = any (v_accounts) then
      raise exception 'an account occurs twice, has another currency, or nothing moves on it' using errcode = 'WL400';
    end if;
    v_accounts := v_accounts || v_account;
    v_currencies := v_currencies || v_entry.currency::text;
    v_amounts := v_amounts || v_entry.amount;
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
