-- What a day's reconciliation asks for, without reading all that ever happened.

-- The ledger only grows, in the order of its time: ranges of its pages are index enough, and cost a posting nothing.
create index ledger_transactions_at on ledger_transactions using brin (at) with (autosummarize = on);
create index payment_orders_uncredited on payment_orders (gateway, created_at) where ledger_transaction_id is null;
