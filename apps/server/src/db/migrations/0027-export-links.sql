-- The one link by which a copy of data can be fetched: SHA-256 of what it carries; taken away by its use.
alter table data_exports
  add column link_hash bytea,
  add column link_expires timestamptz,
  add check ((link_hash is null) = (link_expires is null));
