-- Counters that are worth nothing after a crash: unlogged, a request that counts waits for no disk.
alter table request_limits set unlogged;
