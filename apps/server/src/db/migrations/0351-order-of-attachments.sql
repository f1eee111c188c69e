-- Files of a message are shown as they were sent.
alter table support_attachments add column position smallint not null default 0;
