-- Copies of a server's files that its supervisor keeps beside them, each with the engine that it belongs to.
create table server_snapshots (
  -- The operation that made it.
  id uuid primary key references operations,
  server_id uuid not null references servers,
  engine text not null,
  engine_version text not null,
  plan jsonb not null,
  created_at timestamptz not null default now(),
  -- Until then somebody may go back to it; afterwards it is deleted.
  expires_at timestamptz not null,
  deleted_at timestamptz
);
create index server_snapshots_server on server_snapshots (server_id, id desc) where deleted_at is null;
create index server_snapshots_expiry on server_snapshots (expires_at) where deleted_at is null;
