-- As before, and a third thing may happen to an event: of one about a server the name of a player may be taken out, who
-- wants to be forgotten.
create or replace function keep_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if uuid_extract_timestamp(old.id) < now() - interval '12 months' then return old; end if;
    raise exception 'audit_events is append-only: it is kept for twelve months';
  end if;
  if (to_jsonb(old) - 'data' - 'created_at') = (to_jsonb(new) - 'data' - 'created_at') then
    if old.data @> new.data and old.resource_type = 'user'
      and exists (select from users where id = old.resource_id and destroyed_at is not null)
    then return new; end if;
    if old.resource_type = 'server' and new.data = old.data - 'player' then return new; end if;
  end if;
  raise exception 'audit_events is append-only';
end $$;
