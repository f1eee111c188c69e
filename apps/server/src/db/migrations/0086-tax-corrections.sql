-- A VAT id that the register confirms late: what was charged with VAT meanwhile is put right, once.
alter table tax_id_checks
  -- When what follows from a valid answer was done; null: not yet.
  add column heeded_at timestamptz;
update tax_id_checks set heeded_at = now() where state = 'valid';
create index tax_id_checks_unheeded on tax_id_checks (checked_at) where state = 'valid' and heeded_at is null;

-- A top-up may come to be taxed by another rule: then by another transaction, with a document of its own.
alter table taxed_top_ups add column taxed_by uuid references transactions;
update taxed_top_ups set taxed_by = id;
alter table taxed_top_ups alter column taxed_by set not null;
