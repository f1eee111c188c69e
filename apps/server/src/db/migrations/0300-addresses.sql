-- Names of servers and the records that make players find them.
alter table domains
  -- Made up by us: counts for nothing.
  add column generated boolean not null default false,
  -- A domain of the server's owner, whose records are theirs to set.
  add column external boolean not null default false,
  -- What its TXT record says, while it is one.
  add column proof text,
  add column proof_missing_since timestamptz,
  -- The name as it looks, by which imitations are found.
  add column look text,
  -- How often its records have had to change, and up to which change they are as they should be.
  add column records_wanted integer not null default 1,
  add column records_done integer not null default 0,
  -- When its records are looked at next, by one worker at a time.
  add column look_at timestamptz not null default now(),
  add column checked_at timestamptz,
  add column records_error text,
  add constraint domains_external_proof check (external = (proof is not null)),
  add constraint domains_external_secondary check (not (external and generated));
update domains set generated = true where sub_domain ~ '^[a-z]+-[a-z]+-[0-9]{4}$';
update domains set look = translate(replace(replace(sub_domain, 'rn', 'm'), 'vv', 'w'), '0134578i', 'oleastbl');
alter table domains alter column look set not null;
create index domains_look on domains (zone_name, look) where server_id is not null and not external;
create index domains_look_at on domains (look_at);
create unique index domains_one_primary on domains (server_id) where kind = 'primary' and server_id is not null;

-- Whoever writes who has a name has its records brought in line.
create function domain_records_change() returns trigger language plpgsql as $$
begin
  if old.server_id is distinct from new.server_id then
    new.records_wanted := old.records_wanted + 1;
    new.look_at := now();
    new.records_error := null;
  end if;
  return new;
end $$;
create trigger domains_records_change before update on domains for each row execute function domain_records_change();

-- Domains that somebody says are theirs: they lead nowhere until that is proved.
create table domain_claims (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  user_id uuid not null references users,
  fqdn text not null check (fqdn = lower(fqdn)),
  proof text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  look_at timestamptz not null default now(),
  checked_at timestamptz,
  error text,
  unique (server_id, fqdn)
);
create index domain_claims_look_at on domain_claims (look_at);

-- Ports beside the game's own; one that is given up waits before somebody else gets it.
create table cluster_ports (
  id uuid primary key default uuidv7(),
  cluster_id text not null references clusters,
  -- Null: given up, and nobody's.
  server_id uuid references servers,
  port integer not null check (port between 1 and 65535),
  name text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  released_at timestamptz,
  unique (cluster_id, port),
  check ((server_id is null) = (released_at is not null))
);
create unique index cluster_ports_name on cluster_ports (server_id, lower(name)) where server_id is not null;
-- When ports were taken, which is limited.
create table port_takings (
  server_id uuid not null references servers,
  taken_at timestamptz not null default now()
);
create index port_takings_server on port_takings (server_id, taken_at);

-- A look at the records is nothing to tell of; what came of it is.
drop trigger domains_changed on domains;
create trigger domains_made after insert or delete on domains for each row execute function tell_domain_changed();
create trigger domains_changed after update on domains for each row
  when ((old.server_id, old.kind, old.records_wanted, old.records_done, old.records_error, old.proof_missing_since)
    is distinct from (new.server_id, new.kind, new.records_wanted, new.records_done, new.records_error, new.proof_missing_since))
  execute function tell_domain_changed();

create trigger cluster_ports_changed after insert or update or delete on cluster_ports
  for each row execute function tell_domain_changed();

-- Claims and ports go with the server.
create function forget_addresses() returns trigger language plpgsql as $$
begin
  delete from domain_claims where server_id = new.id;
  update cluster_ports set server_id = null, created_by = null, name = '', released_at = now(), updated_at = now() where server_id = new.id;
  delete from port_takings where server_id = new.id;
  return null;
end $$;
create trigger servers_addresses_forgotten after update on servers for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function forget_addresses();

-- How many chosen names and ports a plan has; servers carry what their plan had when it was last changed.
update products set parameters = parameters || seeded.more
from (values
  ('FREE', '{"names": 0, "ports": 0}'::jsonb),
  ('GRASS', '{"names": 1, "ports": 1}'),
  ('AMETHYST', '{"names": 3, "ports": 3}')
) as seeded (id, more) where products.id = seeded.id;
update servers set limits = limits || jsonb_build_object('names', product.parameters -> 'names', 'ports', product.parameters -> 'ports')
from services service join products product on product.id = service.product_id
where service.id = servers.service_id and product.parameters ? 'names';
