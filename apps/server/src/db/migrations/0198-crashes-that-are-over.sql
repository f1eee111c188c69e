-- Since when the last crash of a server is past: its game has run well after it.
alter table server_crashes add column over_at timestamptz;
