-- What customers of ours sell: the money is the seller's from the start, and is held on their wallet for a time.
alter table transactions drop constraint transactions_action_check;
alter table transactions add constraint transactions_action_check check (action in (
  'RENEW_SERVICE', 'UPGRADE_SERVICE', 'DEPOSIT', 'CRAFTUM', 'RENEW_SERVER', 'VOUCHER_USE', 'ADD_SERVICE',
  'PAY_BILL', 'SETTLE_DEBT', 'TOP_UP_TAX', 'TAX_CORRECTION', 'ITEMSHOP_SELL', 'ITEMSHOP_FEE'));

create table sale_payments (
  transaction_id uuid primary key references transactions,
  -- Who pays has no account. Forgotten after a time.
  email text,
  payer_ip inet,
  description text not null,
  return_path text not null,
  -- The rules as they were when it was ordered.
  hold_days integer not null check (hold_days >= 0),
  share_percent numeric(5, 2) not null check (share_percent between 0 and 100),
  hold_id uuid references ledger_holds,
  held_until timestamptz,
  released_at timestamptz,
  -- What the operator's part was counted of, what it came to, and how much of it was given back.
  share_base bigint,
  share bigint not null default 0,
  share_returned bigint not null default 0 check (share_returned between 0 and share),
  share_transaction_id uuid references transactions
);
create index sale_payments_due on sale_payments (held_until) where released_at is null;
