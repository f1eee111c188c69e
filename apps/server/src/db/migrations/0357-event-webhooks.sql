-- Addresses that are told of events by signed messages: an owner's own, or with scope `all` everybody's, for whoever runs
-- the installation.
create table event_webhooks (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  scope text not null check (scope in ('own', 'all')),
  url text not null,
  -- Actions that it wants to hear of; empty: all.
  actions text[] not null default '{}',
  -- Its secret follows from this and from keys that are not in the database.
  secret_number integer not null default 1,
  -- The secret before is good until then.
  secret_before_until timestamptz,
  -- Null while it works: `owner`, `gone`, `failing`.
  paused_for text check (paused_for in ('owner', 'gone', 'failing')),
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  unique (user_id, scope, url)
);

create table event_webhook_deliveries (
  id uuid primary key default uuidv7(),
  webhook_id uuid not null references event_webhooks on delete cascade,
  -- Null: a message to try it.
  event_id uuid,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  status integer,
  error text,
  milliseconds integer,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  check ((state = 'pending') = (done_at is null))
);
create index event_webhook_deliveries_due on event_webhook_deliveries (next_at) where state = 'pending';
create index event_webhook_deliveries_of on event_webhook_deliveries (webhook_id, id);
create index event_webhook_deliveries_done on event_webhook_deliveries (done_at) where done_at is not null;

create function tell_webhook_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_webhook_deliveries', '');
  return null;
end $$;
create trigger event_webhook_deliveries_written after insert on event_webhook_deliveries
  for each row execute function tell_webhook_due();
