-- Bots are kept out by the players' door, which tells what came of joins.
alter table servers
  add column antibot text not null default 'automatic' check (antibot in ('on', 'off', 'automatic'));

-- One row for each run of a gateway and each minute in which somebody came; kept for a day.
create table server_antibot_minutes (
  server_id uuid not null references servers,
  at timestamptz not null,
  gateway_id uuid not null,
  joins integer not null check (joins >= 0),
  verified integer not null check (verified >= 0),
  turned_away jsonb not null,
  primary key (server_id, at, gateway_id)
);
create index server_antibot_minutes_by_age on server_antibot_minutes (at);

create table server_attacks (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  since timestamptz not null,
  -- Null: it goes on.
  until timestamptz check (until >= since),
  -- When a gateway last told of it, and which ones see it.
  heard_at timestamptz not null default now(),
  gateways uuid[] not null,
  turned_away integer not null default 0,
  -- Its owner was told: not of each one where one follows another.
  told boolean not null
);
create unique index server_attacks_open on server_attacks (server_id) where until is null;
create index server_attacks_of_server on server_attacks (server_id, since desc);
create index server_attacks_by_age on server_attacks (until);
