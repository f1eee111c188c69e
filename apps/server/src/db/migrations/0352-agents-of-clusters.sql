alter table clusters
  drop constraint clusters_driver_check,
  add constraint clusters_driver_check check (driver in ('process', 'docker', 'agent'));

-- With which one machine joins. The secret follows from the id and a key of the installation.
create table agent_tokens (
  id uuid primary key,
  cluster_id text not null references clusters (id),
  expires_at timestamptz not null
);

-- Further machines, on which an agent places servers.
create table agents (
  id uuid primary key,
  cluster_id text not null references clusters (id),
  -- The token that it has joined with: each is good for one.
  token_id uuid not null unique,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  -- PEM, as it was shown at joining; whoever has its key is the agent.
  certificate text not null,
  -- Takes no servers that are not there already.
  draining boolean not null default false,
  joined_at timestamptz not null default now(),
  unique (cluster_id, name)
);

-- The machine that has the files of a server: it is missed for these and no others while it is away.
create table agent_servers (
  server_id uuid primary key references servers (id) on delete cascade,
  agent_id uuid not null references agents (id)
);
create index on agent_servers (agent_id);
