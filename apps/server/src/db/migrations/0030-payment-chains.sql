-- Gateways at which a payer who begins anew gets another order of the same name, and payments by a code.

alter table payment_orders
  -- The order of ours that the gateway went on with under another id of its own.
  add column follows uuid references payment_orders,
  -- The payer typed a code on our page: they confirm in their bank's app, and are sent nowhere.
  add column by_code boolean not null default false,
  -- When the gateway had made it.
  add column opened_at timestamptz,
  -- The gateway's name of the money that came in; it is given back by that name.
  add column payment_id text,
  drop constraint payment_orders_external_id_key,
  drop constraint payment_orders_state_check,
  -- abandoned: the payer began anew, and the gateway went on under another id
  add constraint payment_orders_state_check
    check (state in ('creating', 'open', 'lost', 'paid', 'refused', 'cancelled', 'abandoned'));
update payment_orders set payment_id = gateway_order_id where state = 'paid';
alter table payment_orders add constraint payment_orders_paid check ((state = 'paid') = (payment_id is not null));
-- Whatever happens, a gateway makes one order of a name for us; those that follow it, it makes for the payer.
create unique index payment_orders_name on payment_orders (gateway, external_id) where follows is null;
