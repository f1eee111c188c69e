-- How deep servers sleep, what they need for waking, and what they looked like when somebody last saw them awake.
alter table servers
  -- As the reconciler decided last; see `packages/contract/src/servers/levels.ts`.
  add column level text,
  add column level_since timestamptz,
  add column level_causes text[] not null default '{}',
  add column level_until timestamptz,
  -- Since when nothing keeps the game awake; null: something does, or nobody has told.
  add column empty_since timestamptz,
  add column awake text[] not null default '{}',
  add column woken_at timestamptz,
  add column ping_until timestamptz,
  -- A supervisor without a game is wanted until then: for files, console and settings of one whose workload is gone.
  add column needed_until timestamptz,
  -- When the time that it may run for nothing is over.
  add column session_ends_at timestamptz,
  -- Seconds that its last starts took, newest first.
  add column start_seconds real[] not null default '{}',
  -- `down`: an operation under way wants the game down.
  add column hold text check (hold = 'down');

-- Every change of level, for graphs and for what sleeping has saved.
create table server_levels (
  server_id uuid not null references servers,
  level text not null,
  since timestamptz not null default now(),
  primary key (server_id, since)
);

create function server_level_changed() returns trigger language plpgsql as $$
begin
  insert into server_levels (server_id, level, since) values (new.id, new.level, new.level_since)
    on conflict (server_id, since) do update set level = excluded.level;
  return null;
end $$;
create trigger servers_level_changed after update of level on servers for each row
  when (new.level is not null and new.level is distinct from old.level)
  execute function server_level_changed();

-- What players saw of it in their list, and whom it lets in: for the gateway to show and ask while it sleeps.
create table server_doors (
  server_id uuid primary key references servers,
  face jsonb,
  door jsonb
);
create function tell_door_changed() returns trigger language plpgsql as
$$ begin perform pg_notify('server_changed', new.server_id::text); return null; end $$;
create trigger server_doors_changed after insert or update on server_doors for each row execute function tell_door_changed();

drop trigger servers_wanted on servers;
create trigger servers_wanted after update on servers for each row
  when ((old.want_running, old.disabled, old.restarts_wanted, old.limits, old.plan_hash, old.stop_timeout, old.files_deleted_at,
      old.owner_id, old.woken_at, old.ping_until, old.needed_until, old.session_ends_at, old.hold)
    is distinct from
    (new.want_running, new.disabled, new.restarts_wanted, new.limits, new.plan_hash, new.stop_timeout, new.files_deleted_at,
      new.owner_id, new.woken_at, new.ping_until, new.needed_until, new.session_ends_at, new.hold))
  execute function server_wanted();
