-- Why the workload of a server is being taken away: written before that is done, so that whoever finds it gone, after a
-- worker has been killed in between, knows that nothing has crashed.
alter table server_looks
  add column removal text check (removal in ('sleep', 'unused', 'plan', 'unresponsive'));
-- Until now only other limits were announced so, by forgetting those that it was placed with.
update server_looks set removal = 'plan' from servers
  where servers.id = server_id and placed_at is not null and placed_limits is null;
