-- A renewal that somebody asks for is a contract of its own: it can be withdrawn from alone.
alter table renewals
  -- Whether the buyer asked for it to begin before the 14 days are over, knowing what a withdrawal then costs.
  add column immediate boolean not null default false;

alter table withdrawals
  -- Null: from the whole contract.
  add column renewal_id uuid references renewals;
drop index withdrawals_confirmed;
create unique index withdrawals_confirmed on withdrawals (service_id) where confirmed_at is not null and renewal_id is null;
create unique index withdrawals_renewal on withdrawals (renewal_id) where confirmed_at is not null;
create or replace function withdrawal_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.confirmed_at is not null
     or (new.id, new.service_id, new.renewal_id, new.user_id, new.declared_at, new.currency)
       is distinct from (old.id, old.service_id, old.renewal_id, old.user_id, old.declared_at, old.currency) then
    raise exception 'a declaration stays as it was made' using errcode = 'WL403';
  end if;
  return new;
end $$;
