-- What customers rent: services, servers, addresses.

create table services (
  id uuid primary key default uuidv7(),
  product_id text not null references products,
  type text not null,
  owner_id uuid not null references users,
  wallet_id uuid not null,
  cluster_id text not null references clusters,
  parent_id uuid references services,
  billing_period text not null check (billing_period in ('720h', '2160h', '8760h')),
  currency char(3) not null,
  -- Of one period as it was bought: net, gross, and the tax between them.
  cost bigint not null check (cost >= 0),
  gross_cost bigint not null check (gross_cost >= cost),
  vat_rate numeric(5, 4) not null,
  country_code char(2) not null,
  auto_renew boolean not null default false,
  created_at timestamptz not null default now(),
  -- When the paid time ends; null: never.
  expires timestamptz,
  -- When what was rented was deleted.
  ended_at timestamptz
);
create index services_owner on services (owner_id);
create unique index services_one_free_server on services (owner_id) where product_id = 'FREE' and ended_at is null;

create table servers (
  -- Random from the first digit on: cluster drivers make short names of the beginning.
  id uuid primary key default gen_random_uuid(),
  service_id uuid not null unique references services,
  owner_id uuid not null references users,
  cluster_id text not null references clusters,
  name text not null,
  game text not null,
  engine text not null,
  engine_version text not null,
  -- Of the messages that its players read.
  language text not null check (language in ('en', 'pl', 'de')),
  -- Memory, CPU, storage and players it may use, as a product's parameters.
  limits jsonb not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  cleanup_date timestamptz,
  disabled boolean not null default false,
  hidden boolean not null default false,
  testing boolean not null default false,
  sponsored boolean not null default false,

  -- What it should be.
  autostart boolean not null default true,
  want_running boolean not null default true,
  -- Seconds a stop may take before the game is killed.
  stop_timeout integer not null default 120,
  -- A restart is due while it was wanted more often than done.
  restarts_wanted integer not null default 0,
  restarts_done integer not null default 0,
  -- Packages it should have; null: not chosen yet.
  plan_hash text,

  -- What was last told to its supervisor, and the number of the supervisor's last event at that moment:
  -- a game that ends later without having been told to was stopped by somebody in the game.
  told text check (told in ('up', 'down')),
  told_seq bigint not null default 0,

  -- What it is, as its supervisor has told. `phase` null: nothing known.
  placed_at timestamptz,
  pod_image text,
  supervisor_version text,
  -- Events of its supervisor up to this number have been taken in.
  supervisor_seq bigint not null default 0,
  phase text,
  phase_since timestamptz,
  game_port integer,
  installed_plan text,
  launched_at timestamptz,
  exit_at timestamptz,
  exit_code integer,
  exit_signal text,
  exit_expected boolean,
  players_online integer not null default 0,
  players_max integer,
  player_names text[] not null default '{}',
  -- It ended unasked too often and is not started again until somebody asks.
  crashed boolean not null default false,

  -- How far its preparation has come; done once `prepared_at` is set.
  prepared_at timestamptz,
  preparation_phase text not null default 'queued' check (preparation_phase in ('queued', 'placing', 'downloading', 'installing', 'starting', 'done')),
  preparation_progress real not null default 0,
  preparation_item text,
  preparation_error text,
  -- When what failed is tried again.
  retry_at timestamptz
);
create index servers_owner on servers (owner_id) where deleted_at is null;

-- The packages of a server as they were chosen once, so that a restart of ours never changes them.
create table server_plans (
  server_id uuid primary key references servers,
  plan jsonb not null,
  created_at timestamptz not null default now()
);

create table domains (
  id uuid primary key default uuidv7(),
  -- null: released, and kept from others until `reserved_until`.
  server_id uuid references servers,
  user_id uuid not null references users,
  kind text not null check (kind in ('primary', 'secondary')),
  fqdn text not null unique check (fqdn = lower(fqdn)),
  sub_domain text not null,
  zone_name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires timestamptz,
  reserved_until timestamptz,
  check ((server_id is null) = (reserved_until is not null))
);
create index domains_server on domains (server_id);

-- A purchase that is asked for again under the same key gets the first one's server.
create table purchase_keys (
  user_id uuid not null references users,
  key text not null,
  request_hash bytea not null,
  server_id uuid not null references servers deferrable initially deferred,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

-- Tells whoever shows a server or leads players to it. The payload is its id.
create function tell_server_changed() returns trigger language plpgsql as
$$ begin perform pg_notify('server_changed', new.id::text); return null; end $$;
-- Not for each event that is taken in, only for those that change what is shown.
create trigger servers_changed after update on servers for each row
  when ((old.*) is distinct from (new.*) and (old.supervisor_seq = new.supervisor_seq or
    (old.phase, old.game_port, old.players_online, old.player_names, old.crashed, old.installed_plan, old.prepared_at, old.want_running, old.restarts_done)
      is distinct from
    (new.phase, new.game_port, new.players_online, new.player_names, new.crashed, new.installed_plan, new.prepared_at, new.want_running, new.restarts_done)))
  execute function tell_server_changed();
create trigger servers_made after insert on servers for each row execute function tell_server_changed();

create function tell_domain_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.server_id is not null then perform pg_notify('server_changed', old.server_id::text); end if;
  if tg_op <> 'DELETE' and new.server_id is not null then perform pg_notify('server_changed', new.server_id::text); end if;
  return null;
end $$;
create trigger domains_changed after insert or update or delete on domains for each row execute function tell_domain_changed();

create function tell_service_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('server_changed', id::text) from servers where service_id = new.id;
  return null;
end $$;
create trigger services_changed after update on services for each row execute function tell_service_changed();
