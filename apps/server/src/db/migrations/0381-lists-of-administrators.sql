-- Accounts and payments in the order in which administrators list them. What is looked for among many has its own index.
create index users_suspended on users (id desc) where suspended_at is not null;
create index transactions_newest on transactions (created_at desc, id desc);
create index transactions_status on transactions (status, created_at desc, id desc);
