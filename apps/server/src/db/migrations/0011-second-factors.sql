-- Second steps at login (codes of an app, recovery codes, passkeys), and proofs before dangerous actions.

alter table sessions
  -- When whoever holds the session last proved to be the owner; a login is the first proof.
  add column proven_at timestamptz not null default now();
update sessions set proven_at = created_at;

-- RFC 6238. Until `confirmed_at`, a set-up that nobody has finished: it opens and asks nothing.
create table totp_secrets (
  user_id uuid primary key references users on delete cascade,
  -- AES-256-GCM under a key that is not here.
  sealed bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  -- The time step of the last code taken: that one and those before it are refused.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  -- HMAC-SHA-256 under a key that is not here.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- What the authenticator calls it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- Counts up with each use where the authenticator counts at all: a lower one is of a copy.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What an authenticator was asked to sign. Taken by deleting it, so that it is good for one answer.
create table passkey_challenges (
  purpose text not null check (purpose in ('register', 'login', 'second_step', 'step_up')),
  -- SHA-256 of whatever asked: a browser's cookie, a session, a login that waits.
  bound_to bytea not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (purpose, bound_to)
);
create index passkey_challenges_expires on passkey_challenges (expires_at);

-- Logins whose first step is done.
create table login_challenges (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the secret in the browser that took the first step.
  browser_hash bytea not null,
  -- The audit event of the login, written once it is complete.
  event jsonb not null,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index login_challenges_user on login_challenges (user_id);

alter table mail_digits drop constraint mail_digits_purpose_check;
alter table mail_digits add constraint mail_digits_purpose_check
  check (purpose in ('login', 'delete_account', 'step_up'));
