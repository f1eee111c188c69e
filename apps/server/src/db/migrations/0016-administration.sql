-- Suspended accounts, administrators who look at the panel as its user, and the search over all of it.

create extension if not exists pg_trgm;

alter table users
  -- From then on nobody signs in to the account and its servers stand still; null: as usual.
  add column suspended_at timestamptz,
  add column suspended_by uuid references users,
  add column suspended_reason text,
  add check ((suspended_at is null) = (suspended_reason is null));
create index user_capabilities_name on user_capabilities (name) where resource_id is null;

-- Whoever caches a user's rights, shows their servers or leads players to them learns of it.
create function tell_user_suspended() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', new.id::text);
  perform pg_notify('server_changed', id::text) from servers where owner_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger users_suspended after update of suspended_at on users for each row
  when (old.suspended_at is distinct from new.suspended_at) execute function tell_user_suspended();

-- A session in which an administrator sees the panel as its user. It lives no longer than the one it was begun in.
alter table sessions
  add column actor_id uuid references users on delete cascade,
  add column actor_session_id uuid references sessions on delete cascade,
  add check ((actor_id is null) = (actor_session_id is null));
create index sessions_actor on sessions (actor_id) where actor_id is not null and ended_at is null;
create function end_views_of_session() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = new.ended_at where actor_id = new.user_id and actor_session_id = new.id and ended_at is null;
  return null;
end $$;
create trigger sessions_end_views after update of ended_at on sessions for each row
  when (new.ended_at is not null and new.actor_id is null) execute function end_views_of_session();

-- Parts of names, as administrators search for them.
create index users_search on users using gin (lower(username) gin_trgm_ops, lower(email) gin_trgm_ops);
create index servers_search on servers using gin (lower(name) gin_trgm_ops);
create index domains_search on domains using gin (fqdn gin_trgm_ops);
create index payment_orders_gateway_order on payment_orders (gateway_order_id) where gateway_order_id is not null;
create index services_owner_newest on services (owner_id, id desc);
create index transactions_user on transactions (user_id, id desc);
