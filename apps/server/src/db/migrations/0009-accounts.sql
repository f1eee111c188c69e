-- Links and codes by mail, names that change, deletion, devices.

alter table mail_codes drop constraint mail_codes_purpose_check;
alter table mail_codes add constraint mail_codes_purpose_check
  check (purpose in ('confirm_email', 'reset_password', 'change_email'));
-- The account's address when the link was made: the link dies when it changes.
alter table mail_codes add column account_email text;
update mail_codes set account_email = email;
alter table mail_codes alter column account_email set not null;

alter table users
  add column username_changed_at timestamptz,
  -- When the account is to be deleted, once its owner has confirmed that.
  add column destroy_at timestamptz;
create index users_destroy on users (destroy_at) where destroy_at is not null and destroyed_at is null;

-- Codes of eight digits, typed where they were asked for. The digits follow from the id and a key that is not here.
create table mail_digits (
  id uuid primary key default uuidv7(),
  purpose text not null check (purpose in ('login', 'delete_account')),
  -- In lower case, where there may be no account yet.
  email text not null,
  user_id uuid references users on delete cascade,
  language text not null check (language in ('en', 'pl', 'de')),
  -- SHA-256 of the secret in the browser that asked.
  browser_hash bytea,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check (purpose = 'login' or user_id is not null)
);
create index mail_digits_email on mail_digits (email, purpose, created_at);
create index mail_digits_user on mail_digits (user_id) where user_id is not null;

-- Browsers in which somebody has signed in to an account, by the SHA-256 of a cookie.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  device_hash bytea not null,
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  primary key (user_id, device_hash)
);
