-- Personal API keys, and saved sets of capabilities.

create table api_keys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- SHA-256 of the key, which is shown once and kept nowhere.
  key_hash bytea not null unique,
  -- Its first characters, by which its owner tells it from others.
  hint text not null,
  scopes text[] not null,
  -- CIDR blocks it may be used from; none: from everywhere.
  address_ranges text[] not null default '{}',
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_ip inet
);
create index api_keys_user on api_keys (user_id);
create trigger api_keys_changed after update of scopes, address_ranges, expires_at or delete on api_keys
  for each row execute function tell_access_changed();

-- What operators call roles. Who has a set holds what it says, as it is at the time.
create table capability_sets (
  id uuid primary key default uuidv7(),
  name text not null,
  description text not null default '',
  capabilities jsonb not null check (jsonb_typeof(capabilities) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index capability_sets_name on capability_sets (lower(name));

create table user_capability_sets (
  user_id uuid not null references users on delete cascade,
  set_id uuid not null references capability_sets on delete cascade,
  given_at timestamptz not null default clock_timestamp(),
  primary key (user_id, set_id)
);
create index user_capability_sets_set on user_capability_sets (set_id, user_id);
create trigger user_capability_sets_changed after insert or update or delete on user_capability_sets
  for each row execute function tell_access_changed();

create function tell_set_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', user_id::text) from user_capability_sets where set_id = new.id;
  return null;
end $$;
create trigger capability_sets_changed after update of capabilities on capability_sets
  for each row execute function tell_set_changed();

-- What users hold on the whole product: their own grants first, then those of their sets, the set given last first.
create view held_capabilities as
  select distinct on (user_id, name) user_id, name, value
  from (
    select user_id, name, value, null::timestamptz as given_at
    from user_capabilities where resource_id is null
    union all
    select user_id, key, capability_sets_each.value, given_at
    from user_capability_sets
    join capability_sets on capability_sets.id = set_id
    cross join jsonb_each(capabilities) as capability_sets_each
  ) as grants
  order by user_id, name, given_at desc nulls first;

create function tell_user_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', new.id::text);
  return null;
end $$;
create trigger users_destroyed after update of destroyed_at on users for each row execute function tell_user_gone();
