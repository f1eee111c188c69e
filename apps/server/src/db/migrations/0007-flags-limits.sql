-- Feature flags, and how often somebody may ask for something.

-- Keys, schemas and descriptions are in packages/contract/src/flags.ts; the server adds a row for each.
create table flags (
  key text primary key,
  type text not null check (type in ('boolean', 'string', 'number', 'object')),
  enabled boolean not null default false,
  -- Whoever no rule applies to is given this, while the flag is on.
  value jsonb not null,
  -- In order: [{ "countries": [], "languages": [], "users": [], "percentage": 0–100, "value": … }]
  rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array'),
  updated_at timestamptz,
  updated_by uuid references users on delete set null
);

-- Every process keeps the flags in memory and listens to this.
create function tell_flags_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('flags_changed', coalesce(new.key, old.key));
  return null;
end $$;
create trigger flags_changed after insert or update or delete on flags
  for each row execute function tell_flags_changed();

-- A leaky bucket per subject ('register:ip:203.0.113.7'): each request pours its share in, and `empty_at` is when all
-- of it has run out again.
create table request_limits (
  subject text primary key,
  empty_at timestamptz not null
);
create index request_limits_empty on request_limits (empty_at);
