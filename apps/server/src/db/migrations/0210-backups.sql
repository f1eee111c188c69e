-- Where the backups of each server are: one restic repository.
create table backup_repositories (
  id uuid primary key default uuidv7(),
  server_id uuid not null unique references servers,
  -- As restic takes it, without names and passwords: those are settings.
  location text not null,
  -- Sealed with a key of `secrets.json`.
  password bytea not null,
  created_at timestamptz not null default now(),
  -- When restic had made it. From then on it is never made again: one that is missing is a storage that is away.
  made_at timestamptz,
  -- Begin and end of the last try to back all files up, whatever came of it: the next automatic one is counted from there.
  seen_at timestamptz,
  tried_at timestamptz,
  -- How the last try has ended, where it failed.
  failed_at timestamptz,
  failure text,
  stored_bytes bigint,
  -- Snapshots were forgotten since it was pruned.
  prune_wanted boolean not null default false,
  -- When it was last looked after, and which seventh of its data was read then.
  kept_at timestamptz,
  -- Until then somebody looks after it, and has perhaps locked it.
  kept_until timestamptz,
  read_part smallint not null default 0,
  drilled_at timestamptz,
  -- Its server is over, and so is everything in it.
  removed_at timestamptz
);
create index backup_repositories_kept on backup_repositories (kept_at nulls first) where removed_at is null;

create table backups (
  id uuid primary key default uuidv7(),
  repo_id uuid not null references backup_repositories,
  server_id uuid not null references servers,
  -- The operation that made it; each makes one.
  operation_id uuid not null unique references operations,
  kind text not null check (kind in ('manual', 'auto', 'safety')),
  cause text not null,
  name text,
  pinned boolean not null default false,
  snapshot_id text not null,
  -- restic's own figures.
  details jsonb not null,
  incomplete boolean not null,
  -- The engine that the files belong to.
  engine text not null,
  engine_version text not null,
  plan jsonb not null,
  user_id uuid references users on delete set null,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  -- Its data is gone or is not what it was.
  damaged_at timestamptz,
  -- Somebody deleted it, and can bring it back for a while.
  deleted_at timestamptz,
  -- Nobody sees it any more; its snapshot goes next.
  forgotten_at timestamptz,
  -- When its snapshot was gone.
  removed_at timestamptz,
  check (removed_at is null or forgotten_at is not null),
  unique (repo_id, snapshot_id)
);
create index backups_server on backups (server_id, id desc) where forgotten_at is null;
create index backups_forgotten on backups (repo_id) where forgotten_at is not null and removed_at is null;

update products set parameters = parameters || jsonb_build_object('backups', rule)
from (values
  ('FREE', '{"every_hours": 12, "keep_all_hours": 72, "keep_daily_days": 3, "manual": 1}'::jsonb),
  ('GRASS', '{"every_hours": 12, "keep_all_hours": 168, "keep_daily_days": 7, "manual": 3}'),
  ('AMETHYST', '{"every_hours": 12, "keep_all_hours": 336, "keep_daily_days": 14, "manual": 10}'),
  ('BACKUP_PLUS', '{"every_hours": 6, "keep_all_hours": 720, "keep_daily_days": 30, "manual": 20}'),
  ('BACKUP_PRO', '{"every_hours": 1, "keep_all_hours": 48, "keep_daily_days": 60, "manual": 50}')
) as seeded (id, rule) where products.id = seeded.id;

alter table operations
  -- Bytes done and altogether, bytes a second, seconds left: what is known of them.
  add column figures jsonb;
