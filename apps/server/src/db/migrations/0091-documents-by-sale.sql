-- Documents are looked for by the day of sale, which decides on the period of tax.
create index documents_sold on documents (sold_on, id);
drop index documents_month;
