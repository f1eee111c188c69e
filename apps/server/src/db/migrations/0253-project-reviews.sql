-- What ran where, for how long: only those review a project who have used it.
create table project_uses (
  project_id uuid not null references projects on delete cascade,
  server_id uuid not null references servers,
  release_id text not null references releases on delete cascade,
  -- Of running with it, of all its releases together.
  seconds integer not null default 0,
  installed_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (project_id, server_id)
);
create index project_uses_server on project_uses (server_id);
create index project_uses_release on project_uses (release_id);

create table project_reviews (
  id uuid primary key default uuidv7(),
  project_id uuid not null references projects on delete cascade,
  release_id text not null references releases on delete cascade,
  user_id uuid references users,
  rate text not null check (rate in ('recommend', 'not_recommend')),
  comment text not null,
  answer text,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- One that was taken back leaves room for another.
create unique index project_reviews_once on project_reviews (project_id, user_id) where deleted_at is null;
create index project_reviews_project on project_reviews (project_id, id desc);
create index project_reviews_user on project_reviews (user_id);
create index project_reviews_release on project_reviews (release_id);

create function count_project_reviews() returns trigger language plpgsql as $$
declare
  project uuid := coalesce(new.project_id, old.project_id);
begin
  update projects set
    recommended = (select count(*) from project_reviews
      where project_id = project and deleted_at is null and rate = 'recommend'),
    not_recommended = (select count(*) from project_reviews
      where project_id = project and deleted_at is null and rate = 'not_recommend')
  where id = project;
  return null;
end $$;
create trigger project_reviews_counted after insert or delete or update of deleted_at, rate on project_reviews
  for each row execute function count_project_reviews();

create table project_reports (
  id uuid primary key default uuidv7(),
  project_id uuid not null references projects on delete cascade,
  -- Who reported it; nobody else learns that.
  user_id uuid references users,
  reason text not null,
  comment text not null,
  release_id text references releases on delete cascade,
  review_id uuid references project_reviews on delete cascade,
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create index project_reports_open on project_reports (created_at) where closed_at is null;
create index project_reports_user on project_reports (user_id);
create index project_reports_project on project_reports (project_id);
create index project_reports_release on project_reports (release_id);
create index project_reports_review on project_reports (review_id);

-- Of each day so many, by version, engine and country. Nobody is named.
create table project_metrics (
  project_id uuid not null references projects on delete cascade,
  day date not null,
  metric text not null check (metric in ('views', 'downloads', 'installs')),
  version text not null default '',
  engine text not null default '',
  country text not null default '',
  value integer not null default 0,
  primary key (project_id, metric, day, version, engine, country)
);
-- Who was counted on a day, as a hash that nobody can turn back: one address counts once.
create table project_counted (
  day date not null,
  digest bytea not null,
  primary key (day, digest)
);
