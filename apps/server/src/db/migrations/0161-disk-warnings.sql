-- Whether the owner was told that the disk is nearly full, and it has not become emptier since.
alter table servers add disk_warned boolean not null default false;
