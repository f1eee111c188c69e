-- Up to when the owner was told of what went out of the trash before its time.
alter table servers add column trash_told_at timestamptz;
