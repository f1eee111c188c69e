-- More ports beside a game's own, for servers whose plan has some.
alter table products drop constraint products_type_check;
alter table products add constraint products_type_check
  check (type in ('GAME_SERVER', 'EXTRA_STORAGE', 'EXTRA_MEMORY', 'EXTRA_PORTS', 'MAPVIEW', 'BACKUP', 'CRAFTUM'));

insert into products (id, type, position, parameters, depends_on_products, visible, available)
select 'EXTRA_PORTS_3', 'EXTRA_PORTS', 25, parameters || '{"ports": 3}', depends_on_products, true, true
from products where id = 'BASIC_MAPVIEW';

insert into prices (product_id, cluster_id, currency, period, amount)
select 'EXTRA_PORTS_3', clusters.id, base.currency, period.id, (base.amount::bigint * period.hours * period.percent + 36000) / 72000
from (values ('PLN', 300), ('EUR', 69), ('USD', 79)) as base (currency, amount)
cross join (values ('720h', 720, 100), ('2160h', 2160, 95), ('8760h', 8760, 85)) as period (id, hours, percent)
cross join clusters
on conflict do nothing;
