-- A step that has a server started or stopped is over when it is up or down; one that needs it up is begun again then.
alter table schedule_runs
  add column waits_for text check (waits_for in ('up', 'down')),
  -- How long; kept while the step is begun again, so that a server which never stays up is not waited for without end.
  add column waits_until timestamptz,
  add column repeats boolean not null default false;

-- What is under way keeps a server awake: it is looked at when that begins, and when it is over.
create function schedule_run_wanted() returns trigger language plpgsql as $$
begin
  perform look_at_server(server_id) from schedules where id = new.schedule_id;
  return null;
end $$;
create trigger schedule_runs_begun after insert on schedule_runs for each row execute function schedule_run_wanted();
create trigger schedule_runs_over after update of state on schedule_runs for each row
  when (new.state is distinct from old.state) execute function schedule_run_wanted();
create function operation_wanted() returns trigger language plpgsql as
$$ begin perform look_at_server(new.server_id); return null; end $$;
create trigger operations_begun after update of state on operations for each row
  when (new.state = 'running' and old.state = 'queued') execute function operation_wanted();
