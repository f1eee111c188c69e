-- Whoever keeps in memory how an account looks learns that it changed. The payload is the user's id; an empty one means
-- that anybody's may have.

create function tell_account_changed() returns trigger language plpgsql as $$
declare was text := case when tg_op <> 'INSERT' then to_jsonb(old) ->> tg_argv[0] end;
declare is_now text := case when tg_op <> 'DELETE' then to_jsonb(new) ->> tg_argv[0] end;
begin
  if was is not null then perform pg_notify('account_changed', was); end if;
  if is_now is not null then perform pg_notify('account_changed', is_now); end if;
  return null;
end $$;

create trigger users_told after update on users for each row when (old.* is distinct from new.*)
  execute function tell_account_changed('id');
create trigger capabilities_told after insert or update or delete on user_capabilities for each row
  execute function tell_account_changed('user_id');
create trigger capability_sets_told after insert or update or delete on user_capability_sets for each row
  execute function tell_account_changed('user_id');
create trigger socials_told after insert or update or delete on socials for each row
  execute function tell_account_changed('user_id');
create trigger consents_told after insert or update or delete on consents for each row
  execute function tell_account_changed('user_id');
create trigger referrals_told after insert or update or delete on referrals for each row
  execute function tell_account_changed('user_id');
create trigger free_server_queue_told after insert or delete on free_server_queue for each row
  execute function tell_account_changed('user_id');
create trigger voucher_uses_told after insert or update or delete on voucher_uses for each row
  execute function tell_account_changed('user_id');
create trigger tax_data_told after insert or update or delete on tax_data for each row
  execute function tell_account_changed('user_id');
create trigger tax_id_checks_told after update on tax_id_checks for each row
  execute function tell_account_changed('user_id');

create trigger services_begun_told after insert or delete on services for each row
  execute function tell_account_changed('owner_id');
create trigger services_ended_told after update of owner_id, ended_at on services for each row
  when ((old.owner_id, old.ended_at) is distinct from (new.owner_id, new.ended_at))
  execute function tell_account_changed('owner_id');

create trigger notifications_written_told after insert on notifications for each row
  when (new.in_panel) execute function tell_account_changed('user_id');
create trigger notifications_opened_told after update of opened_at on notifications for each row
  when (old.opened_at is distinct from new.opened_at) execute function tell_account_changed('user_id');
create trigger notifications_removed_told after delete on notifications for each row
  when (old.in_panel and old.opened_at is null) execute function tell_account_changed('user_id');

-- What a wallet holds is read each time: nobody is told of movements.
create trigger wallets_told after insert or update or delete on wallets for each row
  execute function tell_account_changed('user_id');
create trigger debts_told after insert or update on debts for each row
  execute function tell_account_changed('user_id');

-- Where the buyer's last payment came from has a say in the rate of VAT that wallets show.
create trigger payments_told after insert or update of status on transactions for each row
  when (new.action = 'DEPOSIT' and new.status = 'COMPLETED' and new.details ? 'payer_country')
  execute function tell_account_changed('user_id');

create function tell_holders_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_changed', user_id::text) from user_capability_sets where set_id = new.id;
  return null;
end $$;
create trigger set_told after update of capabilities on capability_sets for each row
  execute function tell_holders_changed();

create function tell_accounts_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_changed', '');
  return null;
end $$;
create trigger accounts_of_settings_told after insert or update on tax_settings for each statement
  execute function tell_accounts_changed();
create trigger accounts_of_rates_told after insert on tax_rates for each statement execute function tell_accounts_changed();

-- A caller's name, language, country and proven address are kept beside their rights.
create trigger users_renamed after update of username, language, country_code, email_verified on users for each row
  when ((old.username, old.language, old.country_code, old.email_verified)
    is distinct from (new.username, new.language, new.country_code, new.email_verified))
  execute function tell_user_gone();
