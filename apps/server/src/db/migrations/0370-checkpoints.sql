-- Servers that sleep deeply may keep what they had in memory on disk, and come back from there.
alter table servers
  -- When it was put there; null: its memory is not on disk. Whether it can be used is found out when it is.
  add column checkpointed_at timestamptz;
alter table server_looks drop constraint server_looks_removal_check;
alter table server_looks add constraint server_looks_removal_check
  check (removal in ('sleep', 'unused', 'plan', 'unresponsive', 'moved', 'checkpoint'));
