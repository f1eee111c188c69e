-- Renewals, and how far the clock of a service has been heeded.

create table renewals (
  id uuid primary key default uuidv7(),
  service_id uuid not null references services,
  -- One (service, key) renews once, whatever is tried.
  key text not null,
  request_hash bytea not null,
  billing_period text not null check (billing_period in ('720h', '2160h', '8760h')),
  -- Who asked; null: the service renews itself.
  executor_id uuid references users,
  expires_before timestamptz not null,
  expires_after timestamptz not null check (expires_after > expires_before),
  transaction_id uuid not null references transactions,
  at timestamptz not null default now(),
  unique (service_id, key)
);
create trigger renewals_fixed before update or delete on renewals for each row execute function refuse_change();

alter table services
  -- The end that was told to be over; another one when it was renewed after that.
  add column expiry_noted timestamptz,
  -- When a renewal from the wallet was last tried in vain.
  add column auto_renew_failed_at timestamptz;
create index services_expires on services (expires) where ended_at is null and expires is not null;
