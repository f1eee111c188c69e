-- Tickets of visitors and users, and who wants the newsletter.

create table support_tickets (
  id uuid primary key default uuidv7(),
  -- What people call it by: in mails, on the phone.
  number bigint not null generated always as identity (start with 1001) unique,
  -- Null: a visitor, known by the address only.
  user_id uuid references users on delete set null,
  email text not null,
  language text not null check (language in ('en', 'pl', 'de')),
  topic text not null
    check (topic in ('backup', 'offer', 'server_problem', 'site_problem', 'payments', 'sponsoring', 'other')),
  subject text not null,
  status text not null default 'NEW' check (status in ('NEW', 'OPEN', 'PENDING', 'SOLVED', 'CLOSED')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index support_tickets_user on support_tickets (user_id, id desc) where user_id is not null;
create index support_tickets_open on support_tickets (status, updated_at) where status in ('NEW', 'OPEN', 'PENDING');

create table support_messages (
  id uuid primary key default uuidv7(),
  ticket_id uuid not null references support_tickets on delete cascade,
  author text not null check (author in ('writer', 'staff')),
  -- The account that wrote it, where there is one.
  author_id uuid references users on delete set null,
  body text not null,
  created_at timestamptz not null default now()
);
create index support_messages_ticket on support_messages (ticket_id, id);

create table newsletter_subscriptions (
  id uuid primary key default uuidv7(),
  email text not null,
  language text not null check (language in ('en', 'pl', 'de')),
  -- The newest link that was mailed; it is signed over this, so an older one is dead.
  request_id uuid not null default uuidv7(),
  requested_at timestamptz not null default now(),
  -- A subscriber is whoever confirmed and has not withdrawn since.
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index newsletter_subscriptions_email on newsletter_subscriptions (lower(email));

-- What was agreed to, when and from where: kept as evidence, never changed.
create table newsletter_consents (
  id uuid primary key default uuidv7(),
  subscription_id uuid not null references newsletter_subscriptions on delete cascade,
  action text not null check (action in ('requested', 'confirmed', 'withdrawn')),
  source text not null check (source in ('form', 'mail', 'registration', 'account')),
  user_id uuid references users on delete set null,
  terms_version text not null,
  address inet,
  at timestamptz not null default now()
);
create index newsletter_consents_subscription on newsletter_consents (subscription_id, id);
