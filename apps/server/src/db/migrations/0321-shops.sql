-- Shops of servers.
create table shops (
  server_id uuid primary key references servers,
  open boolean not null default false,
  title text not null,
  intro text not null default '',
  currency char(3) not null,
  seller jsonb not null,
  rules_confirmed_at timestamptz,
  rules_confirmed_by uuid references users,
  created_at timestamptz not null default now()
);

create table shop_categories (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  name text not null,
  position integer not null
);
create index shop_categories_server on shop_categories (server_id);

create table shop_items (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  category_id uuid references shop_categories on delete set null,
  name text not null,
  description text not null,
  price bigint not null check (price >= 0),
  days integer check (days > 0),
  per_player integer check (per_player > 0),
  overall integer check (overall > 0),
  giftable boolean not null,
  active boolean not null,
  variables jsonb not null,
  commands jsonb not null,
  confirmed text[] not null default '{}',
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index shop_items_server on shop_items (server_id);

create table shop_coupons (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  code text not null,
  percent integer check (percent between 1 and 100),
  amount bigint check (amount > 0),
  item_id uuid references shop_items,
  minimum bigint not null default 0,
  uses integer check (uses > 0),
  per_player integer check (per_player > 0),
  until timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((percent is null) <> (amount is null))
);
create unique index shop_coupons_code on shop_coupons (server_id, code) where deleted_at is null;

create table shop_goals (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  title text not null,
  target bigint not null check (target > 0),
  commands text[] not null,
  since timestamptz not null default now(),
  reached_at timestamptz,
  deleted_at timestamptz
);
create index shop_goals_server on shop_goals (server_id);

create table shop_orders (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  item_id uuid not null references shop_items,
  -- The item as it was when it was ordered.
  item jsonb not null,
  quantity integer not null check (quantity > 0),
  player text not null,
  player_id text,
  giver text,
  chosen jsonb not null default '{}',
  coupon_id uuid references shop_coupons,
  currency char(3) not null,
  full_amount bigint not null check (full_amount >= 0),
  amount bigint not null check (amount between 0 and full_amount),
  -- Null: it cost nothing.
  transaction_id uuid unique references transactions,
  language text not null,
  email text,
  idempotency_key text,
  request_hash bytea,
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  refunded bigint not null default 0,
  -- Of what was given back last, where all was.
  return_kind text,
  -- Of an item that ends: when it does, and when that was seen to.
  ends_at timestamptz,
  ended_at timestamptz,
  -- Further payments for the same, which go back.
  paid_again uuid[] not null default '{}',
  -- The next one of the same player and item goes on from this one.
  renewed_by uuid references shop_orders,
  check ((transaction_id is null) = (amount = 0)),
  unique (server_id, idempotency_key)
);
create index shop_orders_server on shop_orders (server_id, id);
create index shop_orders_player on shop_orders (server_id, item_id, lower(player));
create index shop_orders_coupon on shop_orders (coupon_id) where coupon_id is not null;
create index shop_orders_paid_again on shop_orders (id) where paid_again <> '{}';
create index shop_orders_ending on shop_orders (ends_at) where ends_at is not null and ended_at is null;

-- The ledger of deliveries: each command of an order, stage and number, once.
create table shop_deliveries (
  id uuid primary key default uuidv7(),
  server_id uuid not null references shops,
  order_id uuid references shop_orders,
  goal_id uuid references shop_goals,
  item_id uuid references shop_items,
  stage text not null check (stage in ('purchase', 'renewal', 'expiry', 'refund', 'chargeback', 'goal')),
  number integer not null,
  command text not null,
  answer text not null default '',
  player text,
  needs_player boolean not null,
  wakes boolean not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'leased', 'sent', 'confirmed', 'failed', 'unclear', 'dropped')),
  -- Of the try under way or the last one; the console shows it.
  attempt_id uuid,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  lease_until timestamptz,
  sent_at timestamptz,
  confirmed_at timestamptz,
  problem text,
  said text not null default '',
  created_at timestamptz not null default now(),
  check ((order_id is null) <> (goal_id is null)),
  check ((state in ('leased', 'sent')) = (lease_until is not null)),
  check ((state = 'confirmed') = (confirmed_at is not null))
);
create unique index shop_deliveries_once on shop_deliveries (order_id, item_id, stage, number) where order_id is not null;
create unique index shop_deliveries_goal on shop_deliveries (goal_id, number) where goal_id is not null;
-- One at a time on a server: what its console says is an answer to this one.
create unique index shop_deliveries_at_work on shop_deliveries (server_id) where state in ('leased', 'sent');
create index shop_deliveries_waiting on shop_deliveries (next_try_at) where state = 'waiting';
create index shop_deliveries_server on shop_deliveries (server_id, id);

-- What was confirmed stays so, and no command of an order is taken away.
create function keep_delivery() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'shop_deliveries keeps every command'; end if;
  if old.state = 'confirmed' and new.state <> 'confirmed' or old.command <> new.command or old.stage <> new.stage
    or old.number <> new.number or old.order_id is distinct from new.order_id then
    raise exception 'a delivered command stays as it was';
  end if;
  return new;
end $$;
create trigger kept before update or delete on shop_deliveries for each row execute function keep_delivery();
