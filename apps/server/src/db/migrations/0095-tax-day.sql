-- A rate is that of the seller's day, as documents are: the database's own clock may be in another zone.
alter table tax_settings add column time_zone text not null default 'Europe/Warsaw';
