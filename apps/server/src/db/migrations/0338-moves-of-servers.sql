-- Servers move between clusters.
alter table clusters
  -- Whether volumes of its servers lie in a folder of its own. Those from before share the one of all.
  add column own_folder boolean not null default false;

alter table servers
  -- The cluster that it is to be on; whoever places it brings it there, with its game down. Null: the one where it is.
  add column move_to text references clusters,
  -- The last event that is known of its supervisor there: 0 for a new one.
  add column move_seq bigint not null default 0;
-- Once for both directions: a look brings it there.
create trigger servers_moved after update of move_to on servers for each row
  when (new.move_to is not null and old.move_to is distinct from new.move_to) execute function server_wanted();

alter table server_looks drop constraint server_looks_removal_check;
alter table server_looks add constraint server_looks_removal_check
  check (removal in ('sleep', 'unused', 'plan', 'unresponsive', 'moved'));

-- What moves took, for those that follow.
create table server_moves (
  operation_id uuid primary key references operations on delete cascade,
  server_id uuid not null references servers on delete cascade,
  from_cluster text not null references clusters,
  to_cluster text not null references clusters,
  -- Bytes of its files, as they were read.
  bytes bigint not null,
  -- Seconds from the stop of the game until it was up again; null: it was not up before.
  down_seconds real,
  -- What people were told, and what it would have taken by size alone: by the difference later ones are told better.
  expected_seconds real,
  modelled_seconds real,
  -- Its files have yet to be removed where it was.
  left_behind boolean not null default false,
  moved_at timestamptz not null default now()
);
create index server_moves_left on server_moves (operation_id) where left_behind;
create index server_moves_by_server on server_moves (server_id, moved_at desc);
create index server_moves_by_clusters on server_moves (from_cluster, to_cluster, moved_at desc);

-- An administrator asks the owner of a server to let it move.
create table move_requests (
  server_id uuid primary key references servers on delete cascade,
  to_cluster text not null references clusters,
  reason text not null,
  asked_by uuid references users on delete set null,
  asked_at timestamptz not null default now()
);
