-- By which names the gateway says that it gave a chargeback back, so that one case answers one message and one movement.
alter table payment_returns
  -- The case, as a message names it.
  add column returned_case text,
  -- The movement, as the gateway's list of a day names it.
  add column returned_movement text;
-- What was entered wrongly and then taken anew is nobody's case.
update payment_returns set returned_case = gateway_return_id, returned_movement = gateway_return_id
  where kind = 'chargeback' and gateway_return_id = 'entered:' || id;
