-- What servers do by themselves.
create table schedules (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  name text not null,
  enabled boolean not null default true,
  trigger jsonb not null,
  conditions text[] not null default '{}',
  steps jsonb not null,
  -- Of those that go by the clock.
  next_run_at timestamptz,
  created_at timestamptz not null default now()
);
create index schedules_server on schedules (server_id);
create index schedules_due on schedules (next_run_at) where enabled and next_run_at is not null;

create table schedule_runs (
  id uuid primary key default uuidv7(),
  schedule_id uuid not null references schedules on delete cascade,
  cause text not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'skipped')),
  -- As they were when it began.
  conditions text[] not null default '{}',
  steps jsonb not null,
  -- Steps that have begun: one is never begun twice.
  step integer not null default 0,
  due_at timestamptz not null default now(),
  error text,
  started_at timestamptz not null default now(),
  ended_at timestamptz
);
create index schedule_runs_schedule on schedule_runs (schedule_id, id desc);
create index schedule_runs_due on schedule_runs (due_at) where state = 'running';

-- After something has happened, in the transaction that tells of it. One that makes itself happen comes to an end.
create function run_schedules_after(server uuid, happened text) returns void language sql as $$
  insert into schedule_runs (schedule_id, cause, conditions, steps)
  select id, happened, conditions, steps from schedules
  where server_id = server and enabled and trigger ->> 'kind' = 'event' and trigger ->> 'event' = happened
    and (select count(*) from schedule_runs run where run.schedule_id = schedules.id
      and run.started_at > now() - interval '1 hour') < 12
$$;
create function server_happened() returns trigger language plpgsql as $$
begin
  if new.phase = 'running' and old.phase is distinct from 'running' and old.phase is distinct from 'frozen' then
    perform run_schedules_after(new.id, 'started');
  end if;
  if new.exit_at is distinct from old.exit_at and new.exit_expected = false then
    perform run_schedules_after(new.id, 'crashed');
  end if;
  if new.phase = 'running' and old.players_online > 0 and new.players_online = 0 then
    perform run_schedules_after(new.id, 'empty');
  end if;
  return null;
end $$;
create trigger servers_happened after update of phase, exit_at, players_online on servers for each row
  when ((old.phase, old.exit_at, old.players_online) is distinct from (new.phase, new.exit_at, new.players_online))
  execute function server_happened();
