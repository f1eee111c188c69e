-- When VAT on the money of a wallet is due: when it is spent, or already when it is paid in.
alter table tax_settings
  add column top_up_tax_point text not null default 'purchase' check (top_up_tax_point in ('purchase', 'deposit'));

-- TOP_UP_TAX taxes a top-up, or takes that back: it moves revenue and VAT, and nothing on the wallet.
-- TAX_CORRECTION puts right by which rule a sale was taxed.
alter table transactions drop constraint transactions_action_check;
alter table transactions add constraint transactions_action_check check (action in (
  'RENEW_SERVICE', 'UPGRADE_SERVICE', 'DEPOSIT', 'CRAFTUM', 'RENEW_SERVER', 'VOUCHER_USE', 'ADD_SERVICE',
  'PAY_BILL', 'SETTLE_DEBT', 'TOP_UP_TAX', 'TAX_CORRECTION'));
alter table transactions drop constraint transactions_posted;
alter table transactions add constraint transactions_posted check (
  (ledger_transaction_id is not null) = (status in ('COMPLETED', 'ADMIN_ACTION') and (amount <> 0 or action = 'TOP_UP_TAX')));

-- Top-ups that were taxed when they were paid in, and how much of each is left in its wallet. Changed under the lock of
-- the wallet only.
create table taxed_top_ups (
  -- The customer's transaction that its document is made of.
  id uuid primary key references transactions,
  deposit_id uuid not null references transactions,
  user_id uuid not null,
  wallet_id uuid not null,
  currency char(3) not null,
  country_code char(2) not null,
  vat_rate numeric(5, 4) not null,
  treatment text not null,
  -- Gross, minor units: what was taxed, and of how much of that the tax was given back.
  amount bigint not null check (amount > 0),
  returned bigint not null default 0 check (returned >= 0),
  -- Of the wallet's balance: money, and credit that is never paid out.
  left_money bigint not null check (left_money >= 0),
  left_credit bigint not null default 0 check (left_credit >= 0),
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency),
  check (returned + left_money + left_credit <= amount)
);
create index taxed_top_ups_left on taxed_top_ups (wallet_id, id) where left_money + left_credit > 0;
create index taxed_top_ups_deposit on taxed_top_ups (deposit_id);
create trigger kept before delete or truncate on taxed_top_ups for each statement execute function refuse_change();

-- What became of them, by transaction: spent on a purchase, or taken out without a sale (untaxed).
create table taxed_uses (
  transaction_id uuid not null references transactions,
  top_up_id uuid not null references taxed_top_ups,
  kind text not null check (kind in ('spent', 'untaxed')),
  is_credit boolean not null,
  amount bigint not null check (amount > 0),
  -- Of it, what has come back into the wallet.
  back bigint not null default 0 check (back between 0 and amount),
  primary key (transaction_id, top_up_id, is_credit)
);
create index taxed_uses_top_up on taxed_uses (top_up_id);
create trigger kept before delete or truncate on taxed_uses for each statement execute function refuse_change();

-- One more kind of account is opened when it is first used; nothing else of the function changes.
do $$
declare v_source text := pg_get_functiondef('ledger_post'::regproc);
begin
  if position('gateway|revenue|vat|' in v_source) = 0 then raise exception 'ledger_post is not as expected'; end if;
  execute replace(v_source, 'gateway|revenue|vat|', 'gateway|revenue|prepaid|vat|');
end $$;
