-- A page of movements is read from the index alone, where a wallet's movements lie side by side; in the table each lies
-- where its time has put it.
drop index ledger_entries_account_version;
create unique index ledger_entries_account_version on ledger_entries (account_id, account_version)
  include (id, transaction_id, currency, amount, balance_after) where account_version is not null;
