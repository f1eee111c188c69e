-- What was installed on a server besides its engine, each time that this was changed: the newest row says who asked for
-- what, the plan of the server says what it has.
create table server_locks (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  -- The operation that brought it about; one that is taken back takes its row away.
  operation_id uuid not null unique references operations,
  -- The specification's records of installed packages.
  entries jsonb not null,
  created_at timestamptz not null default now()
);
create index server_locks_server on server_locks (server_id, id desc);
