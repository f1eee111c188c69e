-- Which lines of its console a server's supervisor watches for follows from its schedules.
create function schedules_watch_lines() returns trigger language plpgsql as $$
begin
  if coalesce(new.trigger ->> 'kind', '') = 'line' or coalesce(old.trigger ->> 'kind', '') = 'line' then
    perform look_at_server(coalesce(new.server_id, old.server_id));
  end if;
  return null;
end $$;
create trigger schedules_watch_lines after insert or update of trigger, enabled or delete on schedules
  for each row execute function schedules_watch_lines();
