-- Servers that are shared: what was granted stands in user_capabilities, how it came about here.

create table server_invitations (
  id uuid primary key default gen_random_uuid(),
  server_id uuid not null references servers,
  invited_by uuid not null references users on delete cascade,
  -- Who was invited by name, or took what was sent to an address.
  user_id uuid references users on delete cascade,
  -- Invited by address, in lower case: whichever account has proved it may answer. Forgotten with the answer.
  email text check (email = lower(email)),
  -- Of the mail, where the address has no account.
  language text not null check (language in ('en', 'pl', 'de')),
  -- Names of the capabilities, all of them `true` once accepted.
  capabilities text[] not null check (cardinality(capabilities) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  answered_at timestamptz,
  answer text check (answer in ('accepted', 'declined', 'withdrawn')),
  check ((answered_at is null) = (answer is null)),
  check (answered_at is not null or (user_id is null) <> (email is null))
);
create index server_invitations_server on server_invitations (server_id);
create index server_invitations_user on server_invitations (user_id) where answered_at is null;
create index server_invitations_email on server_invitations (email) where answered_at is null;
create index server_invitations_inviter on server_invitations (invited_by, created_at);
