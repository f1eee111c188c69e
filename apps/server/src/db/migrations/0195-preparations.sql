-- The preparation of a new server is an operation, done by the reconciler: no worker takes it up.
alter table operations alter column due_at drop not null;
alter table operations alter column due_at drop default;
-- How long the last ones of a kind took.
create index operations_done on operations (kind, id desc) where state = 'done';

insert into operations (server_id, kind, exclusive, state, phase, phase_since, progress, item, can_cancel, input, about, user_id, due_at, created_at)
select id, 'prepare', true,
  case preparation_phase when 'queued' then 'queued' else 'running' end,
  case preparation_phase when 'queued' then null when 'placing' then 'place' when 'starting' then 'start' else 'install' end,
  case preparation_phase when 'queued' then null else now() end,
  preparation_progress, preparation_item, false,
  jsonb_build_object('engine', engine, 'version', engine_version), jsonb_build_object('engine', engine, 'version', engine_version),
  owner_id, null, created_at
from servers where prepared_at is null and deleted_at is null
  and not exists (select from operations other where other.server_id = servers.id and other.exclusive and other.ended_at is null);

alter table servers drop column preparation_phase, drop column preparation_progress, drop column preparation_item;

-- A server that is prepared has no preparation under way, whoever says so.
create function server_prepared() returns trigger language plpgsql as $$
begin
  update operations set state = 'done', progress = 1, item = null, ended_at = now()
    where server_id = new.id and kind = 'prepare' and ended_at is null;
  return null;
end $$;
create trigger servers_prepared after update of prepared_at on servers for each row
  when (old.prepared_at is null and new.prepared_at is not null) execute function server_prepared();
