-- Places are kept in memory beside what is sold there: not only whether one is open is told.
create function tell_places_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('offers_changed', '');
  return null;
end $$;
create trigger places_told after update on clusters for each statement execute function tell_places_changed();
