-- Everything on a server that takes longer than a request: its phases, how far it has come, and its way back.
create table operations (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  kind text not null,
  -- Of these a server has one at a time.
  exclusive boolean not null,
  state text not null default 'queued'
    check (state in ('queued', 'running', 'cancelling', 'done', 'failed', 'cancelled', 'rolled_back')),
  -- The phase that is run, or taken back; null before the first.
  phase text,
  phase_since timestamptz,
  progress real,
  item text,
  can_cancel boolean not null default true,
  -- Why it goes back, or ended as it did: {code, fields}.
  error jsonb,
  input jsonb not null,
  -- What people are shown of it.
  about jsonb not null default '{}',
  -- What phases have done, written before the next one begins.
  notes jsonb not null default '{}',
  user_id uuid references users on delete set null,
  -- Grows each time that a worker takes it up: whoever had it before writes nothing any more.
  attempt integer not null default 0,
  -- How often this phase has failed in a way that may pass, and when it is tried again.
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((ended_at is not null) = (state in ('done', 'failed', 'cancelled', 'rolled_back')))
);
create unique index operations_one_exclusive on operations (server_id) where exclusive and ended_at is null;
create index operations_open on operations (due_at) where ended_at is null;
create index operations_server on operations (server_id, id desc);

create function tell_operation_changed() returns trigger language plpgsql as
$$ begin perform pg_notify('operation_changed', new.server_id::text); return null; end $$;
create trigger operations_changed after insert or update on operations for each row execute function tell_operation_changed();

