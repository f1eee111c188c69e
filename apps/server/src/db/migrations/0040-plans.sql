-- Plans that change, what is added to them, and what is planned.

alter table services
  -- What the time left is worth and what was paid for it, span by span: features/services/value.ts.
  add column value_held jsonb not null default '[]' check (jsonb_typeof(value_held) = 'array');

-- The last period of what is rented already; who paid it is not known any more.
update services set value_held = jsonb_build_array(jsonb_build_object(
    'from', floor(extract(epoch from greatest(created_at, expires - make_interval(hours => replace(billing_period, 'h', '')::int))) * 1000)::bigint,
    'until', floor(extract(epoch from expires) * 1000)::bigint,
    'period', billing_period, 'currency', currency, 'worth', gross_cost, 'vatRate', vat_rate, 'known', '{}'::jsonb,
    'payments', jsonb_build_array(jsonb_build_object(
      'transaction', null, 'amount', gross_cost, 'vatRate', vat_rate, 'country', country_code))))
  where gross_cost > 0 and expires > now() and ended_at is null;

-- One of each kind beside a server.
create unique index services_one_add_on on services (parent_id, product_id) where parent_id is not null and ended_at is null;

-- What was added ends with its server, whatever moves that end.
create function move_add_ons() returns trigger language plpgsql as $$
begin
  update services set expires = new.expires where parent_id = new.id and ended_at is null and expires is distinct from new.expires;
  return null;
end $$;
create trigger services_add_ons_follow after update of expires on services for each row
  when (new.parent_id is null and old.expires is distinct from new.expires) execute function move_add_ons();

-- Every change of a plan and every add-on, once per (service, key).
create table service_changes (
  id uuid primary key default uuidv7(),
  -- Of the server's plan, also where an add-on came or went.
  service_id uuid not null references services,
  kind text not null check (kind in ('upgrade', 'downgrade', 'add', 'remove')),
  key text not null,
  request_hash bytea not null,
  -- null: it was planned, and done by itself.
  executor_id uuid references users,
  product_before text references products,
  product_after text references products,
  -- The add-on that came or went.
  add_on_id uuid references services,
  expires timestamptz,
  currency char(3) not null,
  -- Gross; minus was given back to the wallet.
  amount bigint not null,
  -- Customer's transactions, none where nothing moved.
  transaction_ids uuid[] not null default '{}',
  at timestamptz not null,
  unique (service_id, key)
);
create trigger service_changes_fixed before update or delete on service_changes for each row execute function refuse_change();

-- What will be done to a service by itself.
create table scheduled_actions (
  id uuid primary key default uuidv7(),
  service_id uuid not null references services,
  action text not null check (action in ('CHANGE_PRODUCT', 'CANCEL_SERVICE')),
  date timestamptz not null,
  details jsonb not null default '{}',
  last_run timestamptz,
  done boolean not null default false,
  deleted_at timestamptz,
  executor_id uuid references users,
  created_at timestamptz not null default now()
);
create unique index scheduled_actions_one on scheduled_actions (service_id, action) where not done and deleted_at is null;
create index scheduled_actions_due on scheduled_actions (date) where not done and deleted_at is null;

alter table servers
  -- With which limits its workload was placed; others come into force when it is placed anew. Null of a placed server:
  -- it is being taken down for that.
  add column placed_limits jsonb;
update servers set placed_limits = limits where placed_at is not null;

-- Memory and storage are on sale; what other add-ons are for does not exist yet.
update products set visible = true, available = true where type in ('EXTRA_MEMORY', 'EXTRA_STORAGE') and id <> 'SPEEDRUN_PROMO_EXTRA_MEMORY_4G';
-- For wallets in other currencies, at about the ratio of the plans' prices.
insert into prices (product_id, cluster_id, currency, period, amount)
select base.product_id, clusters.id, base.currency, period.id, (base.amount::bigint * period.hours * period.percent + 36000) / 72000
from (values
  ('EXTRA_MEMORY_2G', 'EUR', 209), ('EXTRA_MEMORY_4G', 'EUR', 399), ('EXTRA_MEMORY_8G', 'EUR', 749), ('EXTRA_MEMORY_16G', 'EUR', 1399),
  ('EXTRA_MEMORY_2G', 'USD', 229), ('EXTRA_MEMORY_4G', 'USD', 429), ('EXTRA_MEMORY_8G', 'USD', 809), ('EXTRA_MEMORY_16G', 'USD', 1519),
  ('EXTRA_STORAGE_10G', 'EUR', 119), ('EXTRA_STORAGE_30G', 'EUR', 279), ('EXTRA_STORAGE_10G', 'USD', 129), ('EXTRA_STORAGE_30G', 'USD', 299),
  ('BASIC_MAPVIEW', 'EUR', 99), ('BACKUP_PLUS', 'EUR', 139), ('BACKUP_PRO', 'EUR', 349),
  ('BASIC_MAPVIEW', 'USD', 99), ('BACKUP_PLUS', 'USD', 149), ('BACKUP_PRO', 'USD', 379),
  ('SPEEDRUN_PROMO_EXTRA_MEMORY_4G', 'EUR', 0), ('SPEEDRUN_PROMO_EXTRA_MEMORY_4G', 'USD', 0)
) as base (product_id, currency, amount)
cross join (values ('720h', 720, 100), ('2160h', 2160, 95), ('8760h', 8760, 85)) as period (id, hours, percent)
cross join clusters
on conflict do nothing;
