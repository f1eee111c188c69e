-- When a server is looked at next. One rule for all: the reconciler writes when it wants to look again, whatever changes
-- what a server should be writes "now", and the sweep reads nothing else.
create table server_looks (
  server_id uuid primary key references servers,
  -- null: not until something changes.
  next_look_at timestamptz default now(),
  -- Grows with each change of what is wanted, so that a look which began before it does not put off the one for it.
  asked bigint not null default 0,
  -- Since when its supervisor gives no answer that can be read, and since when nobody answers at all.
  unheard_since timestamptz,
  unreached_since timestamptz,
  -- Since when its game should have ended and has not.
  ending_since timestamptz,
  -- Up to when the events of its supervisor are known: what it tells next has happened later, whatever it says.
  told_until timestamptz not null default now()
);
create index server_looks_due on server_looks (next_look_at) where next_look_at is not null;
insert into server_looks (server_id) select id from servers where deleted_at is null;

create function look_at_server(id uuid) returns void language sql as $$
  insert into server_looks as look (server_id) values (id)
  on conflict (server_id) do update set next_look_at = now(), asked = look.asked + 1
$$;

create function server_wanted() returns trigger language plpgsql as
$$ begin perform look_at_server(new.id); return null; end $$;
create trigger servers_made_wanted after insert on servers for each row execute function server_wanted();
create trigger servers_wanted after update on servers for each row
  when ((old.want_running, old.disabled, old.restarts_wanted, old.limits, old.plan_hash, old.stop_timeout, old.files_deleted_at, old.owner_id)
    is distinct from
    (new.want_running, new.disabled, new.restarts_wanted, new.limits, new.plan_hash, new.stop_timeout, new.files_deleted_at, new.owner_id))
  execute function server_wanted();

create function service_wanted() returns trigger language plpgsql as $$
begin
  perform look_at_server(id) from servers where service_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger services_wanted after update on services for each row
  when ((old.expires, old.bill_overdue_since) is distinct from (new.expires, new.bill_overdue_since))
  execute function service_wanted();

create function owner_wanted() returns trigger language plpgsql as $$
begin
  perform look_at_server(id) from servers where owner_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger users_wanted after update on users for each row
  when ((old.suspended_at is null) is distinct from (new.suspended_at is null))
  execute function owner_wanted();
