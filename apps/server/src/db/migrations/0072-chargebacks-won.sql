-- What a payer's bank had taken comes back, too.
alter table reconciliation_lines drop constraint reconciliation_lines_movement_check;
alter table reconciliation_lines add constraint reconciliation_lines_movement_check
  check (movement in ('capture', 'refund', 'chargeback', 'chargeback_returned'));
