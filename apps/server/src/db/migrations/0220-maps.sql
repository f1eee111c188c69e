-- The map of a server's worlds: what its owner has chosen, and how it was drawn last. Without a row: nothing of both.
create table server_maps (
  server_id uuid primary key references servers,
  enabled boolean not null,
  is_public boolean not null,
  shows_players boolean not null,
  layers text[] not null,
  -- What is drawn over it, such as claims.
  areas jsonb not null,
  -- What there is to see, as the renderer has told.
  dimensions jsonb,
  -- End of the last whole map, and of the last try.
  drawn_at timestamptz,
  tried_at timestamptz,
  asked_at timestamptz,
  failed_at timestamptz,
  failure text,
  stored_bytes bigint not null default 0,
  damaged_chunks integer not null default 0
);

update products set visible = true, available = true where id = 'BASIC_MAPVIEW';
