-- Bytes that a server's files take, as its supervisor has told last; null before the first time.
alter table servers add column disk_bytes bigint;
