-- Whether newer releases are looked for, and what is done with them. A server without a row has the defaults.
create table server_update_rules (
  server_id uuid primary key references servers,
  mode text not null default 'offer' check (mode in ('off', 'offer', 'take')),
  from_hour smallint not null default 3 check (from_hour between 0 and 23),
  to_hour smallint not null default 6 check (to_hour between 0 and 23),
  time_zone text not null default 'UTC',
  only_empty boolean not null default true
);

-- What was found when they were looked for last.
create table server_update_checks (
  server_id uuid primary key references servers,
  checked_at timestamptz not null default now(),
  -- Of which packages it was found, so that what is found later is told anew.
  found jsonb not null,
  -- When they were taken by themselves last, or could not be.
  taken_at timestamptz
);

-- What an administrator has set for one server, in place of what its plan has; null: any number, any package.
create table server_package_rules (
  server_id uuid primary key references servers,
  max_plugins integer check (max_plugins >= 0),
  blacklisted_packages text[] not null default '{}',
  allowed_packages text[]
);
