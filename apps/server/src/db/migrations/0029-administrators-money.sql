-- What an administrator puts into a wallet is final from its first moment, and was posted.
alter table transactions drop constraint transactions_posted;
alter table transactions add constraint transactions_posted
  check ((ledger_transaction_id is not null) = (status in ('COMPLETED', 'ADMIN_ACTION') and amount <> 0));
