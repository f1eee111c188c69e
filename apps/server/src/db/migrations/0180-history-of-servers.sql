-- What servers used, by minutes for a day and by hours for a year. Nothing is written of one that sleeps or is down.
create table server_minutes (
  server_id uuid not null references servers,
  at timestamptz not null,
  -- How many measurements the row is made of: the weight of its means when more are added.
  samples integer not null check (samples > 0),
  -- Means, and beside each the most there was; of ticks per second the least. Null: not known.
  cpu real,
  cpu_most real,
  memory real,
  memory_most real,
  heap real,
  heap_most real,
  disk real,
  disk_most real,
  players real,
  players_most real,
  network_in real,
  network_in_most real,
  network_out real,
  network_out_most real,
  tps real,
  tps_least real,
  tick_ms real,
  tick_ms_most real,
  primary key (server_id, at)
);
-- Rows come in the order of their time: old ones are found by the blocks that they are in.
create index server_minutes_at on server_minutes using brin (at);

create table server_hours (like server_minutes including all);
alter table server_hours add foreign key (server_id) references servers;
