-- What an administrator enters and what the gateway tells may be the same return under two names.
alter table payment_returns
  -- The name under which it was entered by hand.
  add column entered_case text,
  -- Whether the gateway itself has told of it, or was asked for it.
  add column told boolean not null default true;
update payment_returns set entered_case = gateway_return_id, told = false where kind <> 'refund' and asked_by is not null;
