-- What a server ran when a change of its packages changed that too: engine, version, and the plan of those alone.
-- Kept with the lock before and the one after it; null: it stayed as it was.
alter table server_locks add column ground jsonb;
