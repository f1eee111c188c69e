-- When somebody who may see the server last looked at its map: it is then drawn again while the game is played on.
alter table server_maps add column watched_at timestamptz;
