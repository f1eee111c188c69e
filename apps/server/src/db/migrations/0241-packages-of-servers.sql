-- What each server has by its plan, as far as something is looked for by it: a file, or a release of the marketplace.
create table server_packages (
  server_id uuid not null references servers,
  name text not null,
  manifest_hash text not null,
  version text not null,
  kind text not null,
  source text not null,
  -- Of our marketplace, else null.
  project_id uuid,
  release_id text,
  -- Of its files, as manifests write them: sha256:…
  hashes text[] not null,
  since timestamptz not null default now(),
  -- Until when its running has been counted.
  counted_at timestamptz not null default now(),
  primary key (server_id, name)
);
create index server_packages_hashes on server_packages using gin (hashes);
create index server_packages_project on server_packages (project_id) where project_id is not null;

create function write_server_packages(wanted uuid, plan jsonb) returns void language sql as $$
  delete from server_packages where server_id = wanted
    and name not in (select item->>'name' from jsonb_array_elements(plan->'packages') item);
  insert into server_packages (server_id, name, manifest_hash, version, kind, source, project_id, release_id, hashes)
  select wanted, item->>'name', item->>'ManifestHash', item->>'packageVersion', coalesce(item->'labels'->>'kind', ''),
    coalesce(item->'labels'->>'source', 'wakestone'),
    case when item->'labels'->>'project' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      then (item->'labels'->>'project')::uuid end,
    item->'labels'->>'release',
    array(select file->>'hash' from jsonb_array_elements(item->'downloadFiles') file)
  from jsonb_array_elements(plan->'packages') item
  on conflict (server_id, name) do update set
    manifest_hash = excluded.manifest_hash, version = excluded.version, kind = excluded.kind, source = excluded.source,
    project_id = excluded.project_id, release_id = excluded.release_id, hashes = excluded.hashes, since = now()
  where server_packages.manifest_hash <> excluded.manifest_hash;
$$;
create function server_plan_was_written() returns trigger language plpgsql as $$
begin
  perform write_server_packages(new.server_id, new.plan);
  return null;
end $$;
create trigger server_plans_packages after insert or update of plan on server_plans
  for each row execute function server_plan_was_written();
do $$
declare
  one record;
begin
  for one in select server_id, plan from server_plans loop
    perform write_server_packages(one.server_id, one.plan);
  end loop;
end $$;

-- What has brought a lock about, and what was there before the first change.
alter table server_locks alter column operation_id drop not null;
alter table server_locks add column cause text;
update server_locks set cause = case operations.kind when 'package_uninstall' then 'uninstall' else 'install' end
  from operations where operations.id = server_locks.operation_id;
