-- What leads to the bytes of one file, of one archive or of one upload, for as long as who asked for it may.
create table file_tickets (
  digest bytea primary key,
  server_id uuid not null references servers,
  user_id uuid not null references users,
  session_id uuid references sessions on delete cascade,
  api_key_id uuid references api_keys on delete cascade,
  purpose text not null check (purpose in ('read', 'archive', 'upload')),
  paths text[] not null,
  -- Of an archive.
  format text,
  -- Of an upload: its name at the files service, and bytes of the whole.
  upload_id text,
  size bigint,
  expires_at timestamptz not null,
  check (num_nonnulls(session_id, api_key_id) = 1),
  check ((purpose = 'upload') = (upload_id is not null and size is not null)),
  check ((purpose = 'archive') = (format is not null))
);
create index file_tickets_expiry on file_tickets (expires_at);

-- What was done with the files of a server in a minute, until it is told as one event.
create table file_changes (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  action text not null,
  executor uuid,
  -- Through whom it came about, as events say it.
  acting jsonb not null default '{}',
  minute timestamptz not null,
  count integer not null check (count > 0),
  bytes bigint not null default 0,
  -- The first few.
  paths text[] not null,
  target text,
  unique nulls not distinct (server_id, action, executor, acting, minute)
);
create index file_changes_minute on file_changes (minute);
