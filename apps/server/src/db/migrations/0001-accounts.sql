-- Accounts, sessions, capabilities, mail, taxes, audit events.

create table users (
  id uuid primary key default uuidv7(),
  username text not null,
  email text not null,
  password_hash text,
  language text not null check (language in ('en', 'pl', 'de')),
  country_code char(2) not null,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  email_verified timestamptz,
  accepted_tos timestamptz,
  newsletter timestamptz
);
create unique index users_username on users (lower(username));
create unique index users_email on users (lower(email));

create table user_capabilities (
  user_id uuid not null references users on delete cascade,
  -- null: on the whole product; else on this one server, service or project
  resource_type text check (resource_type in ('server', 'service', 'project')),
  resource_id uuid,
  name text not null,
  value jsonb not null,
  check ((resource_type is null) = (resource_id is null)),
  unique nulls not distinct (user_id, resource_id, name)
);
create index user_capabilities_resource on user_capabilities (resource_id, user_id);

-- One row per signed-in device; `refresh_hash` is that of the newest refresh token of the family.
create table sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  refresh_hash bytea not null,
  -- The token before it: still honoured for some seconds, for an answer that was lost on the way.
  previous_hash bytea,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip inet,
  user_agent text
);
create index sessions_user on sessions (user_id) where ended_at is null;

create table login_failures (
  id uuid primary key default uuidv7(),
  -- 'account:<lower-case login>' or 'ip:<address>'
  subject text not null,
  at timestamptz not null default now()
);
create index login_failures_subject on login_failures (subject, at);

-- Single-use links sent by mail. The link carries this id and a signature, so nothing stored here opens anything.
create table mail_codes (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm_email')),
  -- The address it proves: a code dies with a change of address.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_codes_user on mail_codes (user_id, purpose, created_at);

create table tax_rates (
  country_code char(2) not null,
  valid_from date not null,
  rate numeric(5, 4) not null check (rate >= 0 and rate < 1),
  primary key (country_code, valid_from)
);
-- Standard rates of the European Union's members, from the Commission's tables; others pay none.
insert into tax_rates (country_code, valid_from, rate) values
  ('AT', '2016-01-01', 0.20), ('BE', '1996-01-01', 0.21), ('BG', '1999-01-01', 0.20), ('CY', '2014-01-13', 0.19),
  ('CZ', '2013-01-01', 0.21), ('DE', '2021-01-01', 0.19), ('DK', '1992-01-01', 0.25), ('EE', '2025-07-01', 0.24),
  ('ES', '2012-09-01', 0.21), ('FI', '2024-09-01', 0.255), ('FR', '2014-01-01', 0.20), ('GR', '2016-06-01', 0.24),
  ('HR', '2012-03-01', 0.25), ('HU', '2012-01-01', 0.27), ('IE', '2021-03-01', 0.23), ('IT', '2013-10-01', 0.22),
  ('LT', '2009-09-01', 0.21), ('LU', '2024-01-01', 0.17), ('LV', '2012-07-01', 0.21), ('MT', '2004-01-01', 0.18),
  ('NL', '2012-10-01', 0.21), ('PL', '2011-01-01', 0.23), ('PT', '2011-01-01', 0.23), ('RO', '2025-08-01', 0.21),
  ('SE', '1990-07-01', 0.25), ('SI', '2013-07-01', 0.22), ('SK', '2025-01-01', 0.23);

create table audit_events (
  id uuid primary key default uuidv7(),
  level smallint not null,
  resource_id uuid not null,
  resource_type text not null check (resource_type in ('user', 'server')),
  created_at timestamptz not null default now(),
  action text not null,
  success boolean not null,
  data jsonb not null default '{}',
  error jsonb
);
create index audit_events_resource on audit_events (resource_id, id desc);

create function refuse_change() returns trigger language plpgsql as
$$ begin raise exception '% is append-only', tg_table_name; end $$;
create trigger audit_events_fixed before update on audit_events for each row execute function refuse_change();

-- Whoever caches what a user may do listens to this.
create function tell_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', coalesce(to_jsonb(new)->>'user_id', to_jsonb(old)->>'user_id'));
  return null;
end $$;
create trigger user_capabilities_changed after insert or update or delete on user_capabilities
  for each row execute function tell_access_changed();
create trigger sessions_ended after update of ended_at or delete on sessions for each row execute function tell_access_changed();
