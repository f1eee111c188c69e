-- What users are told, and each way it takes to them.

create table notifications (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  version smallint not null default 1,
  -- Never holds what only a mail may carry.
  fields jsonb not null,
  resource_type text check (resource_type in ('user', 'server', 'service', 'transaction', 'ticket')),
  resource_id uuid,
  -- The audit event that it tells of; those are kept for another time than notifications.
  event_id uuid,
  actions text[] not null default '{}',
  action_expires timestamptz,
  -- The same thing told twice is shown once.
  dedupe_key text,
  in_panel boolean not null,
  created_at timestamptz not null default now(),
  opened_at timestamptz,
  opened_from text,
  check ((resource_type is null) = (resource_id is null)),
  unique (user_id, dedupe_key)
);
create index notifications_user on notifications (user_id, id desc) where in_panel;
create index notifications_unread on notifications (user_id, id desc) where in_panel and opened_at is null;
create index notifications_kind on notifications (user_id, kind, id desc) where in_panel;
create index notifications_resource on notifications (user_id, resource_id, id desc)
  where in_panel and resource_id is not null;
create index notifications_age on notifications (created_at);

-- What a user chose for a kind on a channel; where there is no row, the kind's own default holds.
create table notification_choices (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  channel text not null check (channel in ('panel', 'mail', 'discord', 'push')),
  wanted boolean not null,
  primary key (user_id, kind, channel)
);

create table notification_webhooks (
  user_id uuid primary key references users on delete cascade,
  url text not null,
  created_at timestamptz not null default now(),
  last_error text
);

-- Browsers that a user lets us push to, as long as the session lasts in which they agreed.
create table push_subscriptions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- One row per way out of the house; a way that fails is tried again by itself.
create table notification_deliveries (
  id uuid primary key default uuidv7(),
  notification_id uuid not null references notifications on delete cascade,
  channel text not null check (channel in ('mail', 'discord', 'push')),
  -- The subscription to push to. A gone one takes what waits for it along.
  subscription_id uuid references push_subscriptions on delete cascade,
  -- Where the mail goes when not to the account's present address, and what only the mail may carry; emptied once sent.
  mail_to text,
  secret jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tries smallint not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  finished_at timestamptz,
  unique nulls not distinct (notification_id, channel, subscription_id)
);
create index notification_deliveries_due on notification_deliveries (channel, next_at) where state = 'waiting';
create index notification_deliveries_subscription on notification_deliveries (subscription_id)
  where subscription_id is not null;

-- Open pages of the user, and whoever delivers, listen to these.
create function tell_notifications_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('notifications_changed', new.user_id::text);
  return null;
end $$;
create trigger notifications_written after insert on notifications
  for each row when (new.in_panel) execute function tell_notifications_changed();
create trigger notifications_opened after update of opened_at on notifications
  for each row when (old.opened_at is distinct from new.opened_at) execute function tell_notifications_changed();

create function tell_delivery_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('notification_deliveries', '');
  return null;
end $$;
create trigger notification_deliveries_written after insert on notification_deliveries
  for each statement execute function tell_delivery_due();
