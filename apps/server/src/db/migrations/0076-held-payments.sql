-- A word of a gateway's for an order that we do not know: the payment waits, neither credited nor given up, until the
-- gateway says something else or somebody looks.
alter table payment_orders add column held_status text;

-- What was refused has failed, also where its end was told first.
insert into transaction_steps values ('CANCELLED', 'FAILED');

-- Reconciliation looks for money that gateways told of and nobody here knew.
create index gateway_events_ignored on gateway_events (gateway, received_at) where state = 'ignored';
