-- Releases of projects and their files.
create table releases (
  id text primary key check (id ~ '^[0-9a-z]{13}$'),
  project_id uuid not null references projects on delete cascade,
  version text not null,
  release_type text not null check (release_type in ('stable', 'latest', 'private')),
  state text not null default 'draft'
    check (state in ('draft', 'checking', 'waiting', 'published', 'refused', 'withdrawn')),
  description text not null default '',
  html text not null default '',
  game_versions text[] not null,
  loaders text[] not null,
  -- As the author sent it, until it is published as `manifest`.
  asked_manifest jsonb,
  manifest jsonb,
  -- What the gate has found.
  findings jsonb not null default '[]',
  reason text,
  downloads bigint not null default 0,
  waiting_since timestamptz,
  published_at timestamptz,
  published_by uuid references users,
  archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  check (state not in ('published', 'withdrawn') or (manifest is not null and published_at is not null)),
  check ((state = 'waiting') = (waiting_since is not null)),
  check ((state = 'withdrawn') = (deleted_at is not null))
);
-- A version that was refused may be sent anew.
create unique index releases_version on releases (project_id, version) where state <> 'refused';
create index releases_project on releases (project_id, id desc);
create index releases_waiting on releases (waiting_since) where state = 'waiting';
create index releases_published_by on releases (published_by);

create table release_artifacts (
  id uuid primary key default uuidv7(),
  release_id text not null references releases on delete cascade,
  name text not null,
  type text not null check (type in ('jar', 'zip', 'tgz')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size > 0),
  -- All of it has come, and has this hash.
  arrived_at timestamptz,
  details jsonb not null default '{}',
  deleted_at timestamptz,
  unique (release_id, name)
);
create index release_artifacts_hash on release_artifacts (sha256);

-- What leads to the bytes of one file that comes, for as long as who asked for it may send them.
create table artifact_uploads (
  digest bytea primary key,
  artifact_id uuid not null references release_artifacts on delete cascade,
  user_id uuid not null references users,
  session_id uuid references sessions on delete cascade,
  api_key_id uuid references api_keys on delete cascade,
  expires_at timestamptz not null,
  check (num_nonnulls(session_id, api_key_id) = 1)
);
create index artifact_uploads_expiry on artifact_uploads (expires_at);
create index artifact_uploads_artifact on artifact_uploads (artifact_id);

-- Files that are malice: never taken again, whoever sends them.
create table quarantined_artifacts (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  reason text not null,
  created_at timestamptz not null default now()
);

-- What was published stays as it was.
create function keep_published_release() returns trigger language plpgsql as $$
begin
  if old.state in ('published', 'withdrawn') and
    (old.version, old.game_versions, old.loaders, old.manifest, old.project_id, old.published_at) is distinct from
    (new.version, new.game_versions, new.loaders, new.manifest, new.project_id, new.published_at) then
    raise exception 'a published release never changes';
  end if;
  if (old.state = 'published' and new.state not in ('published', 'withdrawn')) or
    (old.state = 'withdrawn' and new.state <> 'withdrawn') then
    raise exception 'a published release is withdrawn, and nothing else';
  end if;
  return new;
end $$;
create trigger releases_kept before update on releases for each row execute function keep_published_release();

create function keep_published_artifact() returns trigger language plpgsql as $$
begin
  if exists (select from releases where id = old.release_id and state in ('published', 'withdrawn')) and
    (old.release_id, old.name, old.type, old.sha256, old.size) is distinct from
    (new.release_id, new.name, new.type, new.sha256, new.size) then
    raise exception 'files of a published release never change';
  end if;
  return new;
end $$;
create trigger release_artifacts_kept before update on release_artifacts
  for each row execute function keep_published_artifact();
