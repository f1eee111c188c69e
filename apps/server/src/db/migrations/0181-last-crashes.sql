-- The last crash of each server, for its page: readable for as long as nothing else has happened to it.
create table server_crashes (
  server_id uuid primary key references servers,
  at timestamptz not null,
  tag text not null,
  details jsonb not null,
  exit_code integer,
  exit_signal text,
  heap jsonb,
  last_lines text[] not null
);
