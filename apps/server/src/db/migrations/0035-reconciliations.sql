-- What a gateway says of a day, compared with what we say of it: one report per gateway and day, the last run of it.

create table reconciliations (
  id uuid primary key default uuidv7(),
  gateway text not null,
  day date not null, -- UTC
  -- incomplete: not everything could be asked for; what is known is in the lines
  state text not null check (state in ('clean', 'differs', 'incomplete')),
  -- list: by the gateway's own list of the day · each: payment by payment, where it has none
  method text not null check (method in ('list', 'each')),
  compared integer not null,
  -- Differences that were made good while comparing, and those that are left.
  healed integer not null,
  open integer not null,
  unanswered integer not null,
  finished_at timestamptz not null,
  unique (gateway, day),
  check (state <> 'clean' or (open = 0 and unanswered = 0))
);
create index reconciliations_day on reconciliations (day desc, gateway);

create table reconciliation_lines (
  id uuid primary key default uuidv7(),
  reconciliation_id uuid not null references reconciliations on delete cascade,
  kind text not null check (kind in ('missing_here', 'missing_there', 'amount', 'state')),
  movement text not null check (movement in ('capture', 'refund', 'chargeback')),
  -- The gateway's name of the money, and of the order.
  gateway_id text,
  order_id text,
  transaction_id uuid references transactions,
  currency text,
  our_amount bigint,
  their_amount bigint,
  our_state text,
  their_state text,
  healed boolean not null
);
create index reconciliation_lines_of on reconciliation_lines (reconciliation_id);
