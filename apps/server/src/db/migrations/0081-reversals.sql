-- What gives a transaction back is looked for by it: with every refund, reward and purchase on a bill.
create index transactions_reverses on transactions ((details ->> 'reverses')) where details ->> 'reverses' is not null;
