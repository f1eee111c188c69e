-- The list of administrators, newest first: ids are random.
create index servers_newest on servers (created_at desc, id desc) where deleted_at is null;
