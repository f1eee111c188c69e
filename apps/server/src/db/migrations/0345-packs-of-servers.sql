-- Packs of mods that were brought as a file: what they are, and which file of ours is theirs.
create table server_packs (
  server_id uuid not null references servers on delete cascade,
  name text not null,
  version text not null,
  manifest jsonb not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  created_at timestamptz not null default now(),
  primary key (server_id, name, version)
);
create index server_packs_sha256 on server_packs (sha256);
