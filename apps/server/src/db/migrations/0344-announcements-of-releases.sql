-- What has become of a release and is still to be told: to followers, to moderators, and to addresses of its authors.
create table release_announcements (
  release_id text not null references releases on delete cascade,
  what text not null check (what in ('waiting', 'published', 'withdrawn')),
  created_at timestamptz not null default now(),
  primary key (release_id, what)
);

-- Where the programs of a project's authors are told of its releases. The secret is worked out of the id.
create table project_webhooks (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects on delete cascade,
  url text not null check (length(url) <= 500),
  created_at timestamptz not null default now(),
  unique (project_id, url)
);

create table project_webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references project_webhooks on delete cascade,
  -- Null: only to try the address.
  release_id text references releases on delete cascade,
  event text not null check (event in ('ping', 'release.published', 'release.withdrawn')),
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  -- What the address answered last; null: nothing.
  status int,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  unique (webhook_id, release_id, event)
);
create index project_webhook_deliveries_webhook on project_webhook_deliveries (webhook_id, created_at desc);

alter table notifications drop constraint notifications_resource_type_check;
alter table notifications add constraint notifications_resource_type_check
  check (resource_type in ('user', 'server', 'service', 'transaction', 'ticket', 'craftum', 'market_project'));
