-- Who does not want to be told any more what to do first.
create table first_steps_closed (
  user_id uuid primary key references users on delete cascade,
  closed_at timestamptz not null default now()
);
