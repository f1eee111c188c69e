-- By which version the world of a server was saved last: {version, dataVersion}, as its supervisor has read it.
alter table servers add column world_version jsonb;
