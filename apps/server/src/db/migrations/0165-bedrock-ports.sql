-- The UDP port at which players of a Bedrock server knock: nothing they send before the login says which server they
-- mean. Its own for as long as the server is there.
alter table servers add column bedrock_port integer check (bedrock_port between 1 and 65535);
create unique index servers_bedrock_port on servers (bedrock_port) where deleted_at is null;
