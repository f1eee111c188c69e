-- Workers ask again and again which servers were placed just now.
create index servers_placed on servers (placed_at) where placed_at is not null and deleted_at is null;
