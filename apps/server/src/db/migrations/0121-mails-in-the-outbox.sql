-- `kept`: written to the outbox, because no mail server is set. It left nowhere.
alter table notification_deliveries
  drop constraint notification_deliveries_state_check,
  add constraint notification_deliveries_state_check check (state in ('waiting', 'sent', 'kept', 'failed'));
