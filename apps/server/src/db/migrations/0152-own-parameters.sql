-- What owners set of their servers.
alter table servers
  add column description text not null default '',
  -- Minutes before each level of sleep, {light, deep, hibernate}: sooner than the plan says, never later.
  add column own_sleep jsonb,
  -- Options of the Java machine.
  add column start_flags text[] not null default '{}';
