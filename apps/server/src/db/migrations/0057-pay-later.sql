-- Buying now and paying within some days: each such purchase has a bill, and what is owed is in the ledger.

alter table transactions drop constraint transactions_action_check;
alter table transactions add constraint transactions_action_check check (action in (
  'RENEW_SERVICE', 'UPGRADE_SERVICE', 'DEPOSIT', 'CRAFTUM', 'RENEW_SERVER', 'VOUCHER_USE', 'ADD_SERVICE',
  'PAY_BILL'));

create table bills (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  -- Of the purchase: one (user, key) makes one bill.
  key text not null,
  wallet_id uuid not null,
  currency char(3) not null,
  -- Gross, minor units.
  amount bigint not null check (amount > 0),
  service_id uuid not null references services,
  -- The customer's transaction of the purchase; set in the transaction that makes the bill.
  purchase_id uuid unique references transactions,
  created_at timestamptz not null,
  due_at timestamptz not null check (due_at > created_at),
  -- Not paid in time; stays when it is paid after all.
  overdue_at timestamptz,
  paid_at timestamptz,
  payment_id uuid unique references transactions,
  check ((paid_at is null) = (payment_id is null)),
  unique (user_id, key),
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency)
);
create index bills_user on bills (user_id, id desc);
create index bills_open on bills (due_at) where paid_at is null;
create index bills_overdue on bills (service_id) where paid_at is null and overdue_at is not null;

-- A bill of it is overdue: it stands still until that is paid.
alter table services add column bill_overdue_since timestamptz;
