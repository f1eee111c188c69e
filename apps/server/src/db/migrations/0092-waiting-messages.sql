-- A message of a gateway's that nothing can be made of now: when it is looked at again. Null: its turn is now.
alter table gateway_events add column next_try_at timestamptz;

-- Messages about money that went back name the money that came in.
create index payment_orders_payment on payment_orders (payment_id) where payment_id is not null;
