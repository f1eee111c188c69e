-- Where servers run, what is sold, and for how much.

create table clusters (
  id text primary key,
  -- Seen only by holders of this capability; null: by everybody.
  visible_permission text,
  disabled boolean not null default false,
  host text not null,
  zone_name text not null,
  driver text not null check (driver in ('process')),
  name text not null,
  country_code char(2)
);
-- Host and zone are those of the settings: every start of the product writes them.
insert into clusters (id, host, zone_name, driver, name) values ('local', 'localhost', 'localhost', 'process', 'This machine');

create table products (
  id text primary key,
  type text not null check (type in ('GAME_SERVER', 'EXTRA_STORAGE', 'EXTRA_MEMORY', 'MAPVIEW', 'BACKUP', 'CRAFTUM')),
  position smallint not null,
  -- Bytes, cores, players (null: as many as fit), minutes before each level of sleep (null: never).
  parameters jsonb not null,
  depends_on_products text[] not null default '{}',
  upgrade_targets text[] not null default '{}',
  -- Shown to everybody, and on sale.
  visible boolean not null,
  available boolean not null,
  -- How many are left; null: no limit.
  availability integer check (availability >= 0)
);

create function plan(memory_gib int, cpu int, storage_gib int, players int, light int, deep int, hibernate int) returns jsonb
language sql immutable return jsonb_build_object(
  'memory', memory_gib::bigint << 30, 'cpu', cpu, 'storage', storage_gib::bigint << 30, 'players', players,
  'sleep', jsonb_build_object('light', light, 'deep', deep, 'hibernate', hibernate));

insert into products (id, type, position, parameters, depends_on_products, upgrade_targets, visible, available) values
  ('FREE', 'GAME_SERVER', 1, plan(1, 1, 2, 10, 3, 10, 360), '{}', '{GRASS,AMETHYST}', true, true),
  ('GRASS', 'GAME_SERVER', 2, plan(2, 1, 10, 20, 10, 60, 10080), '{}', '{AMETHYST}', true, true),
  ('AMETHYST', 'GAME_SERVER', 3, plan(6, 3, 30, null, 30, null, null), '{}', '{}', true, true),
  ('EXTRA_MEMORY_2G', 'EXTRA_MEMORY', 10, plan(2, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('EXTRA_MEMORY_4G', 'EXTRA_MEMORY', 11, plan(4, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('EXTRA_MEMORY_8G', 'EXTRA_MEMORY', 12, plan(8, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('EXTRA_MEMORY_16G', 'EXTRA_MEMORY', 13, plan(16, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('SPEEDRUN_PROMO_EXTRA_MEMORY_4G', 'EXTRA_MEMORY', 14, plan(4, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('EXTRA_STORAGE_10G', 'EXTRA_STORAGE', 20, plan(0, 0, 10, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('EXTRA_STORAGE_30G', 'EXTRA_STORAGE', 21, plan(0, 0, 30, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('BASIC_MAPVIEW', 'MAPVIEW', 30, plan(0, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('BACKUP_PLUS', 'BACKUP', 40, plan(0, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('BACKUP_PRO', 'BACKUP', 41, plan(0, 0, 0, null, null, null, null), '{GRASS,AMETHYST}', '{}', false, false),
  ('BASIC_CRAFTUM', 'CRAFTUM', 50, plan(0, 0, 0, null, null, null, null), '{}', '{}', false, false);
drop function plan;

-- Net, in minor units.
create table prices (
  product_id text not null references products,
  cluster_id text not null references clusters,
  currency char(3) not null,
  period text not null check (period in ('720h', '2160h', '8760h')),
  amount bigint not null check (amount >= 0),
  primary key (product_id, cluster_id, currency, period)
);

-- Every price there has been and since when: a reduced price is shown beside the lowest of the 30 days before it.
create table price_history (
  id uuid primary key default uuidv7(),
  product_id text not null,
  cluster_id text not null,
  currency char(3) not null,
  period text not null,
  amount bigint not null,
  valid_from timestamptz not null default now()
);
create index price_history_price on price_history (product_id, cluster_id, currency, period, valid_from desc, id desc);
create trigger price_history_fixed before update or delete on price_history for each row execute function refuse_change();
create trigger price_history_kept before truncate on price_history for each statement execute function refuse_change();

create function keep_price() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.amount = old.amount then return null; end if;
  insert into price_history (product_id, cluster_id, currency, period, amount, valid_from)
    values (new.product_id, new.cluster_id, new.currency, new.period, new.amount, clock_timestamp());
  return null;
end $$;
create trigger prices_kept after insert or update on prices for each row execute function keep_price();

-- A longer period costs 5 % or 15 % less per hour; halves of a minor unit round up.
insert into prices (product_id, cluster_id, currency, period, amount)
select base.product_id, 'local', base.currency, period.id, (base.amount::bigint * period.hours * period.percent + 36000) / 72000
from (values
  ('FREE', 'PLN', 0), ('FREE', 'EUR', 0), ('FREE', 'USD', 0),
  ('GRASS', 'PLN', 1499), ('GRASS', 'EUR', 349), ('GRASS', 'USD', 379),
  ('AMETHYST', 'PLN', 4499), ('AMETHYST', 'EUR', 1049), ('AMETHYST', 'USD', 1149),
  ('EXTRA_MEMORY_2G', 'PLN', 900), ('EXTRA_MEMORY_4G', 'PLN', 1700), ('EXTRA_MEMORY_8G', 'PLN', 3200), ('EXTRA_MEMORY_16G', 'PLN', 6000),
  ('SPEEDRUN_PROMO_EXTRA_MEMORY_4G', 'PLN', 0),
  ('EXTRA_STORAGE_10G', 'PLN', 500), ('EXTRA_STORAGE_30G', 'PLN', 1200), ('BASIC_MAPVIEW', 'PLN', 400),
  ('BACKUP_PLUS', 'PLN', 600), ('BACKUP_PRO', 'PLN', 1500), ('BASIC_CRAFTUM', 'PLN', 999)
) as base (product_id, currency, amount)
cross join (values ('720h', 720, 100), ('2160h', 2160, 95), ('8760h', 8760, 85)) as period (id, hours, percent);
