-- Invoices, receipts and credit notes. Each is made of one completed transaction that moved revenue, is numbered without
-- gaps within its kind and year, and never changes: what was wrong is put right by a credit note.

create table document_series (
  kind text not null check (kind in ('invoice', 'receipt', 'credit_note')),
  year smallint not null,
  last integer not null check (last > 0),
  primary key (kind, year)
);

create table documents (
  id uuid primary key default uuidv7(),
  -- What `transactions.invoice_id` names; a plain reference, which may have gaps. The legal number is below.
  invoice_id bigint not null generated always as identity unique,
  kind text not null,
  year smallint not null,
  number integer not null,
  label text not null unique,
  -- No foreign key: it outlives the account, as tax law wants.
  user_id uuid not null,
  transaction_id uuid not null unique references transactions,
  -- Of credit notes: what they correct.
  corrects uuid references documents,
  issued_at timestamptz not null,
  issued_on date not null,
  sold_on date not null,
  currency char(3) not null,
  -- Minor units; below zero on credit notes. `vat_home` is the VAT in the currency of the seller's tax office.
  net bigint not null,
  vat bigint not null,
  gross bigint not null,
  home_currency char(3) not null,
  vat_home bigint,
  country_code char(2) not null,
  treatment text not null check (treatment in ('domestic', 'destination', 'seller_rate', 'reverse_charge', 'outside')),
  buyer_name text not null,
  language text not null check (language in ('en', 'pl', 'de')),
  -- The evidence of where the buyer is contradicts itself; somebody should look.
  place_contradicts boolean not null,
  -- Everything that is printed.
  snapshot jsonb not null,
  unique (kind, year, number),
  foreign key (kind, year) references document_series,
  check (net + vat = gross and gross <> 0 and (gross < 0) = (kind = 'credit_note'))
);
create index documents_user on documents (user_id, id desc);
create index documents_month on documents (issued_on, id);
create index documents_corrects on documents (corrects) where corrects is not null;

-- The next number is that of the series, which is locked until the document is committed.
create function document_number() returns trigger language plpgsql as $$
begin
  insert into document_series as series (kind, year, last) values (new.kind, new.year, 1)
    on conflict (kind, year) do update set last = series.last + 1
    returning last into new.number;
  new.label := format('%s/%s/%s', new.label, new.year, lpad(new.number::text, 6, '0'));
  return new;
end $$;
create trigger number before insert on documents for each row execute function document_number();
create trigger fixed before update or delete on documents for each row execute function refuse_change();
create trigger kept before truncate on documents for each statement execute function refuse_change();
create trigger kept before delete or truncate on document_series for each statement execute function refuse_change();
create function series_step() returns trigger language plpgsql as $$
begin
  if new.last <> old.last + 1 or (new.kind, new.year) <> (old.kind, old.year) then
    raise exception 'a series counts by one' using errcode = 'WL403';
  end if;
  return new;
end $$;
create trigger step before update on document_series for each row execute function series_step();

-- Transactions whose document is to be made: written with the sale itself, gone with the document.
create table documents_due (
  transaction_id uuid primary key references transactions,
  since timestamptz not null default now(),
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  last_error text
);
create index documents_due_next on documents_due (next_at);

create function ask_for_document() returns trigger language plpgsql as $$
begin
  if new.status = 'COMPLETED' and new.ledger_transaction_id is not null and exists (
    select from ledger_entries entry join ledger_accounts account on account.id = entry.account_id
    where entry.transaction_id = new.ledger_transaction_id and account.code ^@ 'revenue:'
  ) then
    insert into documents_due (transaction_id) values (new.id) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger document after insert or update of status on transactions for each row execute function ask_for_document();

insert into documents_due (transaction_id)
  select id from transactions where status = 'COMPLETED' and exists (
    select from ledger_entries entry join ledger_accounts account on account.id = entry.account_id
    where entry.transaction_id = transactions.ledger_transaction_id and account.code ^@ 'revenue:');

-- Mid rates of the central bank, kept as evidence.
create table exchange_rates (
  source text not null check (source in ('NBP')),
  currency char(3) not null,
  day date not null,
  table_name text not null,
  rate numeric(18, 8) not null check (rate > 0),
  -- Days for which it is known to be the last one before them.
  covers daterange not null,
  fetched_at timestamptz not null default now(),
  primary key (source, currency, day)
);
create function keep_rate() returns trigger language plpgsql as $$
begin
  if (new.source, new.currency, new.day, new.table_name, new.rate) is distinct from (old.source, old.currency, old.day, old.table_name, old.rate)
     or not new.covers @> old.covers then
    raise exception 'a published rate never changes' using errcode = 'WL403';
  end if;
  return new;
end $$;
create trigger fixed before update on exchange_rates for each row execute function keep_rate();
create trigger kept before delete or truncate on exchange_rates for each statement execute function refuse_change();

-- How far a document has come in the tax office's register of invoices.
create table e_invoices (
  document_id uuid primary key references documents,
  -- FA(3), as it was or will be sent.
  xml text not null,
  -- kept: nobody asks for it there
  state text not null check (state in ('kept', 'waiting', 'sent', 'accepted', 'failed')),
  tries integer not null default 0,
  next_at timestamptz,
  session_reference text,
  invoice_reference text,
  ksef_number text unique,
  upo text,
  last_error text,
  updated_at timestamptz not null default now(),
  check ((state = 'accepted') = (ksef_number is not null))
);
create index e_invoices_next on e_invoices (next_at) where next_at is not null;

create function keep_e_invoice() returns trigger language plpgsql as $$
begin
  if (new.document_id, new.xml) is distinct from (old.document_id, old.xml) or old.state = 'accepted' then
    raise exception 'what was sent to the tax office never changes' using errcode = 'WL403';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger fixed before update on e_invoices for each row execute function keep_e_invoice();
create trigger kept before delete or truncate on e_invoices for each statement execute function refuse_change();
