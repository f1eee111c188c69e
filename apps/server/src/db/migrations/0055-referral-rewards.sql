-- What invitations earn: hours for servers.

-- How long a server was played on, as its supervisor told of joins and leaves.
create table server_play (
  server_id uuid primary key references servers,
  seconds bigint not null default 0 check (seconds >= 0),
  -- Who is on, and since when somebody is; null: nobody.
  names text[] not null default '{}',
  since timestamptz,
  check ((since is null) = (cardinality(names) = 0))
);

-- Referrals whose two accounts look like one person's: they earn nothing until an administrator has allowed it.
create table referral_reviews (
  user_id uuid primary key references referrals on delete cascade,
  -- 'device', 'address', 'payment'
  signs text[] not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'allowed', 'refused')),
  noted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  check ((state = 'waiting') = (decided_at is null))
);
create index referral_reviews_waiting on referral_reviews (noted_at) where state = 'waiting';

create table referral_rewards (
  id uuid primary key default uuidv7(),
  -- Whose hours they are.
  user_id uuid not null references users,
  -- The invited account, for which they are given.
  invited_id uuid not null references referrals (user_id),
  -- 'invited' to whoever came, 'inviter' and 'first_payment' to whoever brought them.
  kind text not null check (kind in ('invited', 'inviter', 'first_payment')),
  -- As far as the month had room for them.
  hours integer not null check (hours >= 0),
  -- The top-up that earned them.
  transaction_id uuid references transactions,
  at timestamptz not null default now(),
  reversed_at timestamptz,
  check ((kind = 'first_payment') = (transaction_id is not null)),
  check ((kind = 'invited') = (user_id = invited_id))
);
create unique index referral_rewards_once on referral_rewards (invited_id, kind) where reversed_at is null;
create index referral_rewards_user on referral_rewards (user_id, at);
create index referral_rewards_transaction on referral_rewards (transaction_id) where transaction_id is not null;

-- Hours that were put on a service.
create table referral_uses (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  -- One (user, key) puts hours on a service once, whatever is tried.
  key text not null,
  service_id uuid not null references services,
  hours integer not null check (hours > 0),
  expires_before timestamptz not null,
  expires_after timestamptz not null check (expires_after > expires_before),
  at timestamptz not null default now(),
  unique (user_id, key)
);
create trigger referral_uses_fixed before update or delete on referral_uses for each row execute function refuse_change();

-- Top-ups of invited accounts. What they earn is computed anew whenever `due_at` is set: when one is paid, and when one
-- is given back.
create table referral_payments (
  transaction_id uuid primary key references transactions,
  due_at timestamptz,
  -- What the payer took back where no transaction of theirs says so: chargebacks.
  lost bigint not null default 0 check (lost >= 0)
);
create index referral_payments_due on referral_payments (due_at) where due_at is not null;

create function note_referral_payment() returns trigger language plpgsql as $$
declare v_top_up text := case when new.amount > 0 then new.id::text else new.details ->> 'reverses' end;
begin
  if v_top_up !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return null; end if;
  insert into referral_payments (transaction_id, due_at)
    select transactions.id, now() from transactions join referrals on referrals.user_id = transactions.user_id
    where transactions.id = v_top_up::uuid
    on conflict (transaction_id) do update set due_at = excluded.due_at;
  return null;
end $$;
create trigger note_referral_payment after insert or update of status on transactions for each row
  when (new.status = 'COMPLETED' and new.action = 'DEPOSIT' and new.provider not in ('wallet', 'affiliate', 'pay-later'))
  execute function note_referral_payment();
-- What was given back of a top-up.
create index transactions_given_back on transactions ((details ->> 'reverses')) where amount < 0;
