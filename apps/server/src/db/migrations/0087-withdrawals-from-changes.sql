-- An upgrade and an add-on are contracts of their own, too: each can be withdrawn from alone.
alter table service_changes
  -- Whether the buyer asked for it to begin before the 14 days are over, knowing what a withdrawal then costs.
  add column immediate boolean not null default false;
alter table service_changes drop constraint service_changes_kind_check;
alter table service_changes add constraint service_changes_kind_check
  check (kind in ('upgrade', 'downgrade', 'add', 'remove', 'withdraw'));

alter table withdrawals
  add column change_id uuid references service_changes,
  add check (renewal_id is null or change_id is null);
drop index withdrawals_confirmed;
create unique index withdrawals_confirmed on withdrawals (service_id)
  where confirmed_at is not null and renewal_id is null and change_id is null;
create unique index withdrawals_change on withdrawals (change_id) where confirmed_at is not null;
create or replace function withdrawal_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.confirmed_at is not null
     or (new.id, new.service_id, new.renewal_id, new.change_id, new.user_id, new.declared_at, new.currency)
       is distinct from (old.id, old.service_id, old.renewal_id, old.change_id, old.user_id, old.declared_at, old.currency) then
    raise exception 'a declaration stays as it was made' using errcode = 'WL403';
  end if;
  return new;
end $$;
