-- Withdrawal from a contract in two steps: declared, then confirmed. Kept as evidence of both.
create table withdrawals (
  id uuid primary key default uuidv7(),
  service_id uuid not null references services,
  user_id uuid not null,
  declared_at timestamptz not null,
  confirmed_at timestamptz,
  -- What was given back, gross, and by which transactions.
  currency char(3) not null,
  refund bigint check (refund >= 0),
  transaction_ids uuid[],
  check ((confirmed_at is null) = (refund is null) and (confirmed_at is null) = (transaction_ids is null))
);
create index withdrawals_service on withdrawals (service_id);
create unique index withdrawals_confirmed on withdrawals (service_id) where confirmed_at is not null;
create function withdrawal_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.confirmed_at is not null
     or (new.id, new.service_id, new.user_id, new.declared_at, new.currency) is distinct from (old.id, old.service_id, old.user_id, old.declared_at, old.currency) then
    raise exception 'a declaration stays as it was made' using errcode = 'WL403';
  end if;
  return new;
end $$;
create trigger step before update or delete on withdrawals for each row execute function withdrawal_step();

-- That the buyer asked for the service to begin at once, knowing what a withdrawal then costs; null: they did not.
alter table services add column immediate_consent_at timestamptz;
