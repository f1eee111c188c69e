alter table clusters
  drop constraint clusters_driver_check,
  add constraint clusters_driver_check check (driver in ('process', 'docker', 'agent', 'kubernetes'));

-- How the API is spoken to and where servers are placed: `{namespace, image, storage_class, reach, address, from}`; null
-- before an administrator has said it. The kubeconfig is sealed in `host_secrets`.
alter table clusters add column kubernetes jsonb check (jsonb_typeof(kubernetes) = 'object');
