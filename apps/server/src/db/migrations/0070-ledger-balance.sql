-- The same check for less: one sum over what a statement adds, and groups only where it has several currencies.
-- `ledger_post` adds one posting by one statement, and nothing else may add.
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
  elsif v_sum <> 0 then
    raise exception 'the entries do not balance' using errcode = 'WL400';
  end if;
  return null;
end $$;
