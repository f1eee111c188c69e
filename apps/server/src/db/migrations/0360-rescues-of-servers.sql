alter table servers
  -- Its machine does not answer: it is brought to `move_to` without ending first what is up where it was.
  add column move_abandons boolean not null default false;

alter table server_looks
  -- Since when its machine was missed; null: it answers, or nobody has looked for it.
  add column lost_since timestamptz;

alter table server_moves
  -- It was brought up from a backup: the machine that it left did not answer, and has its files as they were then.
  add column abandoned boolean not null default false,
  -- When that machine answered again, and nothing of the server runs there any more.
  add column back_at timestamptz;
create index server_moves_abandoned on server_moves (operation_id) where abandoned and back_at is null;
