-- Money that goes back to a payer: given back by us, by hand at the gateway, or taken by their bank.
create table payment_returns (
  id uuid primary key default uuidv7(),
  -- refund: asked for here, and then of the gateway under this id, which makes asking twice asking once
  -- outside: given back at the gateway, past us · chargeback: taken back by the payer's bank
  kind text not null check (kind in ('refund', 'outside', 'chargeback')),
  -- REQUESTED: the wallet has paid it, the gateway may not know yet · SENT: the gateway has it in hand
  -- COMPLETED: the money has left · FAILED: it never will · RETURNED: it left, and is ours again
  state text not null check (state in ('REQUESTED', 'SENT', 'COMPLETED', 'FAILED', 'RETURNED')),
  -- The payment that it is of, and the customer's transaction of that.
  order_id uuid not null references payment_orders,
  deposit_id uuid not null references transactions,
  user_id uuid not null,
  wallet_id uuid not null,
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  -- Of it, what came out of credit that is never paid out: chargebacks take that too, and it comes back as such.
  credit bigint not null default 0 check (credit between 0 and amount),
  gateway text not null,
  -- The gateway's name of the refund or the case.
  gateway_return_id text,
  -- When money was taken or came back, by the gateway's clock.
  happened_at timestamptz,
  reason text not null,
  asked_by uuid references users,
  idempotency_key text,
  request_hash bytea,
  -- What the customer sees of it, and of its coming back. A case that was won before we heard of it has neither.
  transaction_id uuid unique references transactions,
  returned_transaction_id uuid unique references transactions,
  -- Why it failed or has to wait; for administrators.
  failure text,
  attempts integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  finished_at timestamptz,
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency),
  unique (gateway, kind, gateway_return_id),
  unique (asked_by, idempotency_key),
  check ((idempotency_key is null) = (request_hash is null)),
  check (kind = 'refund' or state in ('COMPLETED', 'RETURNED')),
  check (kind = 'refund' or gateway_return_id is not null),
  check (credit = 0 or kind <> 'refund'),
  check ((state in ('REQUESTED', 'SENT')) = (finished_at is null)),
  check (transaction_id is not null or (kind = 'chargeback' and state = 'RETURNED')),
  check ((returned_transaction_id is not null) = (state in ('FAILED', 'RETURNED') and transaction_id is not null))
);
create index payment_returns_deposit on payment_returns (deposit_id);
create index payment_returns_order on payment_returns (order_id);
create index payment_returns_user on payment_returns (user_id, id desc);
create index payment_returns_due on payment_returns (next_try_at) where next_try_at is not null;

create function payment_return_step() returns trigger language plpgsql as $$
begin
  if (new.id, new.kind, new.order_id, new.deposit_id, new.wallet_id, new.currency, new.amount, new.credit, new.gateway, new.created_at)
     is distinct from (old.id, old.kind, old.order_id, old.deposit_id, old.wallet_id, old.currency, old.amount, old.credit, old.gateway, old.created_at) then
    raise exception 'a return keeps what it is about' using errcode = 'WL403';
  end if;
  if new.state <> old.state and not (
    (old.state = 'REQUESTED' and new.state in ('SENT', 'COMPLETED', 'FAILED')) or
    (old.state = 'SENT' and new.state in ('COMPLETED', 'FAILED')) or
    (old.state = 'COMPLETED' and new.state = 'RETURNED')
  ) then
    raise exception 'no step leads from % to %', old.state, new.state using errcode = 'WL400';
  end if;
  return new;
end $$;
create trigger step before update on payment_returns for each row execute function payment_return_step();
create trigger kept before delete or truncate on payment_returns for each statement execute function refuse_change();

-- What somebody owes because a wallet did not hold what was taken back. The next payment settles it first.
create table debts (
  id uuid primary key default uuidv7(),
  return_id uuid not null unique references payment_returns,
  user_id uuid not null,
  wallet_id uuid not null,
  currency char(3) not null,
  amount bigint not null check (amount > 0),
  open bigint not null check (open between 0 and amount),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  foreign key (wallet_id, user_id, currency) references wallets (id, user_id, currency),
  check ((settled_at is null) = (open > 0))
);
create index debts_open on debts (user_id, wallet_id, id) where open > 0;
create trigger kept before delete or truncate on debts for each statement execute function refuse_change();
