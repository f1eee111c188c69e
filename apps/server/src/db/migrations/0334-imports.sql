-- What operators have brought in from other systems, run by run.
create table imports (
  id uuid primary key default uuidv7(),
  system text not null check (system in ('pterodactyl', 'pelican', 'whmcs', 'paymenter')),
  -- Which installation of it, where there are several; empty where there is one.
  origin text not null default '',
  -- SHA-256 of the dump.
  dump_hash bytea not null check (octet_length(dump_hash) = 32),
  state text not null default 'running' check (state in ('running', 'done', 'undone')),
  -- How many of what came of it; no names.
  totals jsonb not null default '{}',
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((state = 'running') = (ended_at is null))
);
-- One that was killed is gone on with.
create unique index imports_running on imports (system, origin) where state = 'running';

-- What something there is here. It names nobody: keys and hashes of rows only.
create table import_items (
  id uuid primary key default uuidv7(),
  import_id uuid not null references imports,
  system text not null,
  origin text not null,
  kind text not null check (kind in ('account', 'balance', 'server', 'files', 'database')),
  source_key text not null,
  -- Of the account, the customer's transaction or the server.
  made uuid not null,
  -- `found`: it was here before. `begun`: files that are on their way. `kept`: an undoing has left it, since it was used.
  state text not null check (state in ('made', 'found', 'begun', 'kept', 'undone')),
  -- SHA-256 of the row as it was there.
  row_hash bytea not null check (octet_length(row_hash) = 32),
  details jsonb not null default '{}',
  -- Events of what it is about that have a greater id were written after the import had last touched it.
  mark uuid not null default uuidv7()
);
create unique index import_items_known on import_items (system, origin, kind, source_key) where state <> 'undone';
create index import_items_of on import_items (import_id, id);

-- Hashes of other systems, until their owners sign in.
create index users_foreign_passwords on users ((true)) where password_hash like '$2%';
