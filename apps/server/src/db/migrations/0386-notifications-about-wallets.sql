-- A payment's message leads to the wallet that it came into.
alter table notifications drop constraint notifications_resource_type_check;
alter table notifications add constraint notifications_resource_type_check
  check (resource_type in ('user', 'server', 'service', 'transaction', 'wallet', 'ticket', 'craftum', 'market_project'));
