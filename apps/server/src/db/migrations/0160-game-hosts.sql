-- Where a server's game is reached; this machine's loopback address where there is none.
alter table servers add game_host text;
