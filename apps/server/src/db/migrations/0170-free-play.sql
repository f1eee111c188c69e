-- Free servers take turns: a cluster has places for so many of them at once, and who waits for one stands in a queue.

-- How many free servers run at once; null: as many as the settings say.
alter table clusters add column free_places integer check (free_places >= 0);

alter table free_server_queue
  add column cluster_id text not null default 'local' references clusters,
  -- First come, first served.
  add column number bigint,
  -- A place is held for them until then; null: they wait.
  add column offered_until timestamptz;
update free_server_queue queue set number = sorted.number
  from (select user_id, row_number() over (order by joined_at, user_id) as number from free_server_queue) sorted
  where sorted.user_id = queue.user_id;
create sequence free_server_queue_number owned by free_server_queue.number;
select setval('free_server_queue_number', coalesce((select max(number) from free_server_queue), 0) + 1, false);
alter table free_server_queue
  alter column cluster_id drop default,
  alter column number set default nextval('free_server_queue_number'),
  alter column number set not null;
drop index free_server_queue_joined;
create index free_server_queue_order on free_server_queue (cluster_id, number);

-- A row without an end is a place that is taken; those with one say how much of a day was played.
create table free_sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  cluster_id text not null references clusters,
  -- null: kept for a server that is about to be rented, until `ends_at`.
  server_id uuid references servers on delete cascade,
  taken_at timestamptz not null,
  -- When its game was up; the hours of a day count from here.
  started_at timestamptz,
  ends_at timestamptz not null check (ends_at >= taken_at),
  ended_at timestamptz,
  -- 'over': its time had passed, 'asleep': nothing of the game was up any more, 'unused': no server came
  end_reason text check (end_reason in ('over', 'asleep', 'unused')),
  -- The least number of minutes before the end that players were told of.
  warned smallint,
  check ((ended_at is null) = (end_reason is null)),
  check (server_id is not null or started_at is null)
);
create unique index free_sessions_user on free_sessions (user_id) where ended_at is null;
create unique index free_sessions_server on free_sessions (server_id) where ended_at is null;
create index free_sessions_cluster on free_sessions (cluster_id) where ended_at is null;
create index free_sessions_played on free_sessions (user_id, taken_at);

-- Hours beyond a day's, taken from those that invitations have earned.
create table free_bonus_hours (
  user_id uuid not null references users on delete cascade,
  at timestamptz not null,
  primary key (user_id, at)
);

-- Whether a free server may be up has changed.
create function free_session_wanted() returns trigger language plpgsql as $$
begin
  if new.server_id is not null then
    perform look_at_server(new.server_id);
    perform pg_notify('server_changed', new.server_id::text);
  end if;
  return null;
end $$;
create trigger free_sessions_made_wanted after insert on free_sessions for each row execute function free_session_wanted();
create trigger free_sessions_wanted after update on free_sessions for each row
  when ((old.server_id, old.started_at, old.ends_at, old.ended_at) is distinct from (new.server_id, new.started_at, new.ends_at, new.ended_at))
  execute function free_session_wanted();

-- When the time of a free server is over. Without a place it was over when it lost that, unless it sleeps for want of
-- players: it then sleeps on, and takes a place when it wakes.
create function free_session_end(server servers) returns timestamptz stable language sql as $$
  select coalesce(
    (select ends_at from free_sessions where server_id = server.id and ended_at is null),
    case when server.level in ('DEEP_SLEEP', 'HIBERNATED') and not 'session_over' = any(server.level_causes) then null
      else coalesce((select max(ended_at) from free_sessions where server_id = server.id), server.created_at) end)
$$;
create index free_sessions_of_server on free_sessions (server_id, ended_at);

drop trigger servers_wanted on servers;
alter table servers drop column session_ends_at;
create trigger servers_wanted after update on servers for each row
  when ((old.want_running, old.disabled, old.restarts_wanted, old.limits, old.plan_hash, old.stop_timeout, old.files_deleted_at,
      old.owner_id, old.woken_at, old.ping_until, old.needed_until, old.hold)
    is distinct from
    (new.want_running, new.disabled, new.restarts_wanted, new.limits, new.plan_hash, new.stop_timeout, new.files_deleted_at,
      new.owner_id, new.woken_at, new.ping_until, new.needed_until, new.hold))
  execute function server_wanted();

-- Whoever plays while this comes in goes on playing.
insert into free_sessions (user_id, cluster_id, server_id, taken_at, started_at, ends_at)
  select distinct on (servers.owner_id) servers.owner_id, servers.cluster_id, servers.id, now(),
    case when servers.phase = 'running' then now() end, now() + interval '4 hours'
  from servers join services on services.id = servers.service_id
  where services.product_id = 'FREE' and servers.deleted_at is null and servers.want_running
  order by servers.owner_id, servers.created_at desc;
