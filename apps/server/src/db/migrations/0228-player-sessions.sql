-- Who was on a server, and when: written in the transaction that takes in what its supervisor tells.
create table player_sessions (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  name text not null,
  -- The UUID of a Java account or the number of an Xbox account, where the game has told it.
  player_id text,
  joined_at timestamptz not null,
  -- Null: still on.
  left_at timestamptz
);
create index player_sessions_by_time on player_sessions (server_id, joined_at);
create index player_sessions_by_name on player_sessions (server_id, lower(name), joined_at);
create index player_sessions_by_age on player_sessions (joined_at);
create unique index player_sessions_open on player_sessions (server_id, name) where left_at is null;

-- Bans that end by themselves: games of Java Edition know no such command, so they are lifted from here.
create table timed_bans (
  server_id uuid not null references servers,
  kind text not null check (kind in ('player', 'address')),
  -- A name in lower case, or an address.
  target text not null,
  until timestamptz not null,
  tried_at timestamptz,
  primary key (server_id, kind, target)
);
create index timed_bans_due on timed_bans (until);

-- Both go with the server, or with its files.
create function forget_players() returns trigger language plpgsql as $$
begin
  delete from player_sessions where server_id = new.id;
  delete from timed_bans where server_id = new.id;
  return null;
end $$;
create trigger servers_players_forgotten after update on servers for each row
  when (old.deleted_at is null and new.deleted_at is not null
    or old.volume_removed_at is null and new.volume_removed_at is not null
    or old.files_deleted_at is null and new.files_deleted_at is not null)
  execute function forget_players();
