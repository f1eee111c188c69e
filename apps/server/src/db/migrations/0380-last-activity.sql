-- When each account was last used. Beside the account and not in it, because every change there is announced to whoever
-- keeps accounts in memory. '-infinity': never; so the order needs no rule for what is missing.
create table user_activities (
  user_id uuid primary key references users on delete cascade,
  last_at timestamptz not null default '-infinity'
);
create index user_activities_latest on user_activities (last_at desc, user_id desc);

insert into user_activities (user_id, last_at)
  select users.id, coalesce(max(sessions.rotated_at), '-infinity')
  from users left join sessions on sessions.user_id = users.id and sessions.actor_id is null
  group by users.id;

create function begin_activity() returns trigger language plpgsql as $$
begin
  insert into user_activities (user_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger users_activity after insert on users for each row execute function begin_activity();
