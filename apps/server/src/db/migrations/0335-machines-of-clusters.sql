alter table clusters
  drop constraint clusters_driver_check,
  add constraint clusters_driver_check check (driver in ('process', 'docker'));

-- Machines with container engines: `[{name, url, address, refused}]`. What they are spoken to with is sealed, by name of
-- the machine.
alter table clusters
  add column hosts jsonb not null default '[]' check (jsonb_typeof(hosts) = 'array'),
  add column host_secrets bytea;
