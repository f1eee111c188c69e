-- What invoices say of buyers, what users agreed to, and copies of their data.

-- What was asked of the EU's register of VAT ids, kept as evidence; a new id is a new row.
create table tax_id_checks (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  tax_id text not null,
  state text not null default 'pending' check (state in ('pending', 'valid', 'invalid', 'unavailable')),
  asked_at timestamptz not null default now(),
  -- When the register was last asked, and when it answered with `valid` or `invalid`, by which reference of its own.
  checked_at timestamptz,
  consultation_number text,
  last_error text
);
create index tax_id_checks_user on tax_id_checks (user_id);

-- Every version; the one in force has no `replaced_at`.
create table tax_data (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('person', 'company')),
  name text not null,
  short_name text not null,
  nip text,
  tax_id text,
  check_id uuid references tax_id_checks,
  address text not null,
  postal_code text not null,
  city text not null,
  country char(2) not null,
  language text not null check (language in ('en', 'pl', 'de')),
  created_at timestamptz not null default now(),
  replaced_at timestamptz
);
create unique index tax_data_in_force on tax_data (user_id) where replaced_at is null;
create index tax_data_user on tax_data (user_id);

-- What was agreed to, in which version, when and how. The newsletter's are in newsletter_consents.
create table consents (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  subject text not null check (subject in ('terms', 'gdpr', 'cookies')),
  action text not null check (action in ('given', 'withdrawn')),
  -- Of the document that was shown; 'unknown' where none could be read.
  version text not null,
  source text not null check (source in ('registration', 'account', 'cookie_choice', 'operator')),
  -- Of cookies: what exactly was chosen.
  details jsonb,
  address inet,
  at timestamptz not null default now()
);
create index consents_user on consents (user_id, subject, id desc);

-- Evidence is not rewritten; only the address goes when the account does.
create function keep_consent() returns trigger language plpgsql as $$
begin
  if new.address is null then
    old.address := null;
    if new is not distinct from old then return new; end if;
  end if;
  raise exception 'consents are never changed';
end $$;
create trigger consents_fixed before update on consents for each row execute function keep_consent();

-- What those who registered before this table agreed to, as the audit log tells it.
insert into consents (user_id, subject, action, version, source, at)
  select users.id, 'terms', 'given', event.data #>> '{accepted_terms,version}', 'registration', event.created_at
  from users
  join audit_events event on event.resource_id = users.id and event.action = 'USER_REGISTER_EMAIL'
  where users.destroyed_at is null and event.data #>> '{accepted_terms,version}' is not null;

-- Copies of everything that is kept of a user, made on request; the file is in DATA_DIR/exports.
create table data_exports (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'ready', 'failed', 'expired')),
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  bytes bigint
);
create index data_exports_user on data_exports (user_id, id desc);
create index data_exports_expiry on data_exports (expires_at) where state = 'ready';
