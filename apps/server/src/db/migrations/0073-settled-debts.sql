-- A payment that settles what is owed for one that was taken back is no bill.
alter table transactions drop constraint transactions_action_check;
alter table transactions add constraint transactions_action_check check (action in (
  'RENEW_SERVICE', 'UPGRADE_SERVICE', 'DEPOSIT', 'CRAFTUM', 'RENEW_SERVER', 'VOUCHER_USE', 'ADD_SERVICE',
  'PAY_BILL', 'SETTLE_DEBT'));
