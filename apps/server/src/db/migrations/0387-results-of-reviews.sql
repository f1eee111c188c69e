-- Authors are told of what was refused too, and how long moderators took lately.
alter table release_announcements drop constraint release_announcements_what_check;
alter table release_announcements add constraint release_announcements_what_check
  check (what in ('waiting', 'published', 'refused', 'withdrawn'));
-- Of one that a moderator has decided on.
alter table releases add column waited_seconds integer check (waited_seconds >= 0);
create index releases_waited on releases (id desc) where waited_seconds is not null;
