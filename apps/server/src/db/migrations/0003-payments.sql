-- Transactions as customers see them, payments at gateways, and the inbox of what gateways tell us.

-- The steps of the contract's state table; a test compares the two.
create table transaction_steps (from_status text not null, to_status text not null, primary key (from_status, to_status));
insert into transaction_steps values
  ('DRAFT', 'NEW'), ('DRAFT', 'CANCELLED'),
  ('NEW', 'PROCESSING'), ('NEW', 'READY_TO_CAPTURE'), ('NEW', 'COMPLETED'), ('NEW', 'FAILED'), ('NEW', 'CANCELLED'),
  ('PROCESSING', 'READY_TO_CAPTURE'), ('PROCESSING', 'COMPLETED'), ('PROCESSING', 'FAILED'), ('PROCESSING', 'CANCELLED'),
  ('READY_TO_CAPTURE', 'COMPLETED'), ('READY_TO_CAPTURE', 'FAILED'), ('READY_TO_CAPTURE', 'CANCELLED'),
  ('FAILED', 'COMPLETED'), ('CANCELLED', 'COMPLETED');

create table transactions (
  id uuid primary key default uuidv7(),
  user_id uuid not null,
  wallet_id uuid not null,
  currency char(3) not null,
  status text not null check (status in ('DRAFT', 'NEW', 'PROCESSING', 'READY_TO_CAPTURE', 'COMPLETED', 'FAILED', 'CANCELLED', 'ADMIN_ACTION')),
  action text not null check (action in ('RENEW_SERVICE', 'UPGRADE_SERVICE', 'DEPOSIT', 'CRAFTUM', 'RENEW_SERVER', 'VOUCHER_USE', 'ADD_SERVICE')),
  provider text not null check (provider in ('wallet', 'payu', 'paypal', 'paynow', 'blik')),
  amount bigint not null check (amount >= 0), -- gross, minor units
  country_code char(2) not null,
  vat_rate numeric(5, 4) not null,
  -- [{name, quantity, tax, total_price_gross}]
  positions jsonb not null,
  invoice_id bigint,
  details jsonb not null default '{}',
  -- Language of the payer's pages; who they are to the gateway.
  language text not null default 'en' check (language in ('en', 'pl', 'de')),
  payer_ip inet,
  -- Why it failed or was given up; for operators.
  failure jsonb,
  -- One request of a customer makes one transaction, however often it is sent.
  idempotency_key text,
  request_hash bytea,
  ledger_transaction_id uuid unique references ledger_transactions,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency),
  unique (user_id, idempotency_key),
  check ((idempotency_key is null) = (request_hash is null)),
  -- Completed means posted, and posted means completed; only a purchase for nothing moves nothing.
  constraint transactions_posted check ((ledger_transaction_id is not null) = (status = 'COMPLETED' and amount > 0))
);
create index transactions_wallet on transactions (wallet_id, id desc);
create index transactions_open on transactions (created_at) where status in ('DRAFT', 'NEW', 'PROCESSING', 'READY_TO_CAPTURE');

create function transaction_step() returns trigger language plpgsql as $$
begin
  if (new.id, new.user_id, new.wallet_id, new.currency, new.action, new.provider, new.amount, new.created_at)
     is distinct from (old.id, old.user_id, old.wallet_id, old.currency, old.action, old.provider, old.amount, old.created_at) then
    raise exception 'a transaction keeps what it is about' using errcode = 'WL403';
  end if;
  if new.status <> old.status and not exists (
    select 1 from transaction_steps where from_status = old.status and to_status = new.status
  ) then
    raise exception 'no step leads from % to %', old.status, new.status using errcode = 'WL400';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger step before update on transactions for each row execute function transaction_step();
create trigger kept before delete or truncate on transactions for each statement execute function refuse_change();

-- Orders at a gateway. A transaction has one, and another when the first was lost on the way to us: nobody was sent
-- there, yet should it be paid all the same, it is credited too.
create table payment_orders (
  id uuid primary key default uuidv7(),
  transaction_id uuid not null references transactions,
  gateway text not null,
  -- Our name of it at the gateway: whatever happens, the gateway makes one order of this name.
  external_id text not null unique,
  -- The gateway's name of it, once it told us.
  gateway_order_id text,
  -- creating: being made by a process that has until lease_until · lost: made, but its address never reached us
  state text not null check (state in ('creating', 'open', 'lost', 'paid', 'refused', 'cancelled')),
  redirect_url text,
  lease_until timestamptz,
  next_poll_at timestamptz,
  polled_at timestamptz,
  polls integer not null default 0,
  ledger_transaction_id uuid unique references ledger_transactions,
  created_at timestamptz not null default now(),
  unique (gateway, gateway_order_id),
  check ((state = 'paid') = (ledger_transaction_id is not null))
);
create index payment_orders_transaction on payment_orders (transaction_id);
create index payment_orders_due on payment_orders (next_poll_at) where next_poll_at is not null;

-- What gateways tell us, byte for byte, stored before anything is made of it.
create table gateway_events (
  id uuid primary key default uuidv7(),
  gateway text not null,
  received_at timestamptz not null default now(),
  raw bytea not null,
  headers jsonb not null,
  -- Hash over body and signature: the same message again is the same row, a forgery of it is another.
  dedupe_key bytea not null,
  state text not null default 'received' check (state in ('received', 'verified', 'processed', 'ignored', 'refused')),
  note text,
  processed_at timestamptz,
  unique (gateway, dedupe_key)
);
create index gateway_events_waiting on gateway_events (received_at) where state in ('received', 'verified');
