-- Accounts elsewhere that sign in here, who brought whom, and who waits for a free server.

create table socials (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  source text not null check (source in ('discord')),
  -- The account's id there; names and addresses change.
  external_id text not null,
  details jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  destroyed_at timestamptz
);
create unique index socials_external on socials (source, external_id) where destroyed_at is null;
create unique index socials_user on socials (user_id, source) where destroyed_at is null;

-- One way to Discord and back. The state and the browser's secret are kept as SHA-256.
create table discord_attempts (
  id uuid primary key default uuidv7(),
  state_hash bytea not null unique,
  browser_hash bytea not null,
  -- Who wants to link; null: somebody logs in or registers.
  user_id uuid references users on delete cascade,
  verifier text not null,
  language text not null check (language in ('en', 'pl', 'de')),
  came_from text,
  expires_at timestamptz not null,
  -- The code that the browser came back with, as SHA-256: another one is not taken.
  code_hash bytea,
  -- Who it was, once Discord has said so: kept while terms are read, or the account of the address is logged in to.
  profile jsonb,
  used_at timestamptz
);
create index discord_attempts_expires on discord_attempts (expires_at);

-- Every code that a user ever had; the newest is shown, all of them work, and none goes to somebody else.
create table referral_codes (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  code text not null,
  created_at timestamptz not null default now()
);
create unique index referral_codes_code on referral_codes (lower(code));
create index referral_codes_user on referral_codes (user_id, id desc);

-- Who came by whose code. Never changed: rewards are counted from it.
create table referrals (
  user_id uuid primary key references users on delete cascade,
  code_id uuid not null references referral_codes on delete cascade,
  referrer_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  check (referrer_id <> user_id)
);
create index referrals_referrer on referrals (referrer_id, created_at);

create table free_server_queue (
  user_id uuid primary key references users on delete cascade,
  joined_at timestamptz not null default now()
);
create index free_server_queue_joined on free_server_queue (joined_at, user_id);
