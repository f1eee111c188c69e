-- Bytes of memory that a sleep has left to others, as they were measured; null: nobody has measured yet.
alter table server_levels add column freed bigint check (freed >= 0);

-- A game that is not there has left what it used in the last hour of which that is known.
create or replace function server_level_changed() returns trigger language plpgsql as $$
begin
  insert into server_levels (server_id, level, since, freed)
    values (new.id, new.level, new.level_since, case when new.level in ('DEEP_SLEEP', 'HIBERNATED') then
      (select round(memory)::bigint from server_hours where server_id = new.id and memory is not null order by at desc limit 1) end)
    on conflict (server_id, since) do update set level = excluded.level, freed = excluded.freed;
  return null;
end $$;
