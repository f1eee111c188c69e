-- Which VAT a sale bears depends on where the seller is and how they report it. One row; every start writes what the
-- settings say, so that SQL and all processes read the same.
create table tax_settings (
  one boolean primary key default true check (one),
  seller_country char(2) not null,
  -- oss: consumers elsewhere in the EU pay their own country's rate; local: the seller's, below the EU's threshold.
  scheme text not null check (scheme in ('oss', 'local'))
);
insert into tax_settings (seller_country, scheme) values ('PL', 'oss');

-- Rates are added with the day from which they hold; what was charged by them stays explicable.
create trigger tax_rates_fixed before update or delete on tax_rates for each row execute function refuse_change();

-- A valid id that is asked for again stays valid until the register answers: the new question is a row of its own, and
-- takes the place of the old one with its answer.
alter table tax_id_checks add column rechecks uuid references tax_id_checks on delete cascade;
