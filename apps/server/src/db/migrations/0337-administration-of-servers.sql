-- What administrators do to servers and clusters.
alter table clusters
  -- Its servers stand still until that ends, their worlds saved; it takes no new ones meanwhile.
  add column draining boolean not null default false,
  add constraint clusters_draining_disabled check (disabled or not draining);

alter table servers
  -- Limits that an administrator has set beside those of its plan.
  add column limits_set jsonb not null default '{}',
  -- What the plan gives while any are set; null: its limits are the plan's.
  add column limits_plan jsonb,
  add constraint servers_limits_plan check ((limits_plan is null) = (limits_set = '{}'));

create function cluster_wanted() returns trigger language plpgsql as $$
begin
  perform look_at_server(id) from servers where cluster_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger clusters_wanted after update on clusters for each row
  when (old.draining is distinct from new.draining) execute function cluster_wanted();

-- For the administrators' search.
create index player_sessions_by_player on player_sessions (lower(name), joined_at desc);
create index audit_events_by_error on audit_events ((error ->> 'code'), id desc) where error is not null;
create index servers_by_cluster on servers (cluster_id, id) where deleted_at is null;
