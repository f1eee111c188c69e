-- The affiliate programme: who takes part, what they have earned, and how many came by their links.

-- Which of the two somebody's coming counts for: hours, or a share of what they pay. Never both.
alter table referrals add column programme text not null default 'hours' check (programme in ('hours', 'affiliate'));

create table affiliates (
  user_id uuid primary key references users,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'suspended')),
  -- Where they tell of us, in their own words.
  website text not null,
  about text not null,
  applied_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users
);
create index affiliates_applied on affiliates (applied_at desc, user_id);

-- One per top-up. The money is in the ledger: pending until `released_at`, then available.
create table affiliate_commissions (
  id uuid primary key default uuidv7(),
  affiliate_id uuid not null references affiliates (user_id),
  invited_id uuid not null references referrals (user_id),
  transaction_id uuid not null unique references transactions,
  currency char(3) not null,
  -- Of what the payer has not taken back: it falls, and never rises.
  amount bigint not null check (amount >= 0),
  percent integer not null check (percent between 1 and 100),
  paid_at timestamptz not null,
  due_at timestamptz not null,
  released_at timestamptz
);
create index affiliate_commissions_affiliate on affiliate_commissions (affiliate_id, paid_at);
create index affiliate_commissions_invited on affiliate_commissions (invited_id);
create index affiliate_commissions_due on affiliate_commissions (due_at) where released_at is null;

-- One row per affiliate and currency, which whatever moves commission locks first.
create table affiliate_balances (
  user_id uuid not null references affiliates,
  currency char(3) not null,
  -- Commission that had been used when its top-up was given back: the next one makes up for it.
  owed bigint not null default 0 check (owed >= 0),
  primary key (user_id, currency)
);

create table affiliate_payouts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references affiliates,
  -- One (user, key) pays out once, whatever is tried.
  key text not null,
  wallet_id uuid not null,
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  transaction_id uuid not null references transactions,
  at timestamptz not null default now(),
  unique (user_id, key),
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency)
);
create trigger affiliate_payouts_fixed before update or delete on affiliate_payouts for each row execute function refuse_change();

create table affiliate_clicks (
  user_id uuid not null references affiliates,
  day date not null,
  clicks integer not null default 0,
  primary key (user_id, day)
);
-- Whom a day has counted: a hash of address and browser with a salt that is thrown away with the day, and it with it.
create table affiliate_salts (
  day date primary key,
  salt bytea not null
);
create table affiliate_visitors (
  day date not null references affiliate_salts on delete cascade,
  hash bytea not null,
  primary key (day, hash)
);
