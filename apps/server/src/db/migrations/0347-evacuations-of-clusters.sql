-- A cluster is emptied: its servers move elsewhere, some at a time.
create table evacuations (
  id uuid primary key default uuidv7(),
  cluster_id text not null references clusters,
  state text not null default 'running' check (state in ('running', 'paused', 'done', 'cancelled')),
  -- What the owners read.
  reason text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('running', 'paused')))
);
create unique index evacuations_open on evacuations (cluster_id) where ended_at is null;
create index evacuations_of_cluster on evacuations (cluster_id, created_at desc);

create table evacuation_servers (
  evacuation_id uuid not null references evacuations on delete cascade,
  server_id uuid not null references servers on delete cascade,
  position integer not null,
  -- Null: there was nowhere for it.
  new_cluster text references clusters,
  state text not null default 'waiting' check (state in ('waiting', 'moving', 'moved', 'failed', 'gone')),
  expected_seconds real,
  operation_id uuid references operations on delete set null,
  -- Why it has not moved; the code of an error.
  error text,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  primary key (evacuation_id, server_id)
);
create index evacuation_servers_open on evacuation_servers (evacuation_id, position) where state in ('waiting', 'moving');
create index evacuation_servers_of_server on evacuation_servers (server_id);
