-- Vouchers: codes, what they give, and who has used them. Coupons: what a voucher leaves on a service.

-- What was made at once: all its codes give the same.
create table voucher_batches (
  id uuid primary key default uuidv7(),
  -- The administrator; null: the product itself, for a trial.
  created_by uuid references users,
  created_at timestamptz not null default now(),
  prefix text not null,
  -- A user may use one voucher of a group.
  group_id text,
  -- How often one user may use one code.
  per_user integer not null check (per_user > 0),
  expires timestamptz not null,
  -- Targets and effects, as packages/contract/src/voucher.ts has them.
  data jsonb not null,
  -- What all of them give together: codes, hours, and minor units by currency. An administrator’s day is limited by it.
  codes integer not null check (codes > 0),
  hours bigint not null check (hours >= 0),
  value jsonb not null
);
create index voucher_batches_maker on voucher_batches (created_by, created_at);
create index voucher_batches_made on voucher_batches (id desc) where created_by is not null;
create trigger voucher_batches_fixed before update or delete on voucher_batches for each row execute function refuse_change();

create table vouchers (
  id uuid primary key default uuidv7(),
  batch_id uuid not null references voucher_batches,
  code text not null unique check (code = upper(code)),
  -- As it was made, and what is left of it: never less than nothing, whoever comes at once.
  uses integer not null check (uses > 0),
  uses_left integer not null check (uses_left between 0 and uses),
  -- The only one who may use it; null: whoever has the code.
  user_id uuid references users,
  last_use_id uuid
);
create index vouchers_batch on vouchers (batch_id);
create index vouchers_user on vouchers (user_id) where user_id is not null;

create table voucher_uses (
  id uuid primary key default uuidv7(),
  voucher_id uuid not null references vouchers,
  user_id uuid not null references users,
  group_id text,
  ts timestamptz not null default now(),
  -- The same call again is the same use; null: nobody asked for that.
  key text,
  request_hash bytea,
  -- What it gave, and to what.
  details jsonb not null,
  unique (user_id, key)
);
create index voucher_uses_user on voucher_uses (user_id, id desc);
create index voucher_uses_group on voucher_uses (user_id, group_id) where group_id is not null;
create index voucher_uses_voucher on voucher_uses (voucher_id);
create trigger voucher_uses_fixed before update or delete on voucher_uses for each row execute function refuse_change();

create table service_coupons (
  id uuid primary key default uuidv7(),
  service_id uuid not null references services,
  voucher_use_id uuid not null references voucher_uses,
  name text not null,
  -- Net price of a renewal; null: as ever.
  expression text,
  add_hours_on_renewal integer not null default 0 check (add_hours_on_renewal >= 0),
  end_time timestamptz,
  -- How many renewals it serves still; null: all until its end.
  uses_left integer check (uses_left >= 0),
  used integer not null default 0,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index service_coupons_service on service_coupons (service_id);

-- How long a product can be tried for nothing; null: not at all.
alter table products add column trial_hours integer check (trial_hours > 0);
update products set trial_hours = 24 where id = 'AMETHYST';
