-- Confirmations to the buyers of shops: when the next try is due; null once it is sent, or where there is none to send.
alter table shop_orders add column mail_at timestamptz, add column mail_tries integer not null default 0;
create index shop_orders_mail on shop_orders (mail_at) where mail_at is not null;

-- Words of owners as pages show them. What was written before is shown as plain text until it is saved again.
alter table shops add column intro_html text not null default '', add column picture text;
alter table shop_items add column html text not null default '', add column picture text;

create table shop_pictures (
  server_id uuid not null references shops,
  name text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (server_id, name)
);
