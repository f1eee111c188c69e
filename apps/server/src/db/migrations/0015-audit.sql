-- Audit events: their time from their id, lists that stay quick whatever the filter, and what may be taken away again.

-- The id is made in time order: one order for lists, pages and spans of time.
alter table audit_events drop column created_at;
alter table audit_events
  add column created_at timestamptz not null generated always as (uuid_extract_timestamp(id)) virtual;

-- A list walks one of these from its newest end, per level that it shows, and never past what it shows.
create index audit_events_level on audit_events (resource_id, level, id desc);
create index audit_events_action on audit_events (resource_id, action, level, id desc);
alter table audit_events add check (level in (10, 20, 30, 40, 50));

-- Events are written once. Two things may happen to them afterwards, and nothing else: of an account that is gone,
-- details may be taken out (not changed, not added); and after twelve months an event may go as a whole.
create function keep_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if uuid_extract_timestamp(old.id) < now() - interval '12 months' then return old; end if;
    raise exception 'audit_events is append-only: it is kept for twelve months';
  end if;
  if old.data @> new.data
    and (to_jsonb(old) - 'data' - 'created_at') = (to_jsonb(new) - 'data' - 'created_at')
    and old.resource_type = 'user'
    and exists (select from users where id = old.resource_id and destroyed_at is not null)
  then return new; end if;
  raise exception 'audit_events is append-only';
end $$;
drop trigger audit_events_fixed on audit_events;
create trigger audit_events_fixed before update or delete on audit_events
  for each row execute function keep_audit_event();
create trigger audit_events_not_emptied before truncate on audit_events
  for each statement execute function refuse_change();
