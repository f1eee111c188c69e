-- Pages that show prices are kept by every process that renders them; whatever such a page reads tells of its changes.
create function tell_offers_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('offers_changed', '');
  return null;
end $$;
create trigger products_told after insert or update or delete on products
  for each statement execute function tell_offers_changed();
create trigger prices_told after insert or update or delete on prices
  for each statement execute function tell_offers_changed();
create trigger price_history_told after insert on price_history
  for each statement execute function tell_offers_changed();
create trigger clusters_told after insert or delete or update of disabled on clusters
  for each statement execute function tell_offers_changed();
create trigger tax_rates_told after insert on tax_rates
  for each statement execute function tell_offers_changed();
create trigger tax_settings_told after insert or update or delete on tax_settings
  for each statement execute function tell_offers_changed();
