-- A domain of its owner's under which a website is shown. Until its TXT record is found it is only claimed, which keeps
-- nobody else from claiming it.
create table craftum_domains (
  craftum_id uuid primary key references craftums,
  fqdn text not null check (fqdn = lower(fqdn)),
  proof text not null,
  proved_at timestamptz,
  proof_missing_since timestamptz,
  -- Whether its address is ours, when it was last looked at.
  leads_here boolean not null default false,
  -- A code of the catalogue: what is in the way.
  error text,
  checked_at timestamptz,
  look_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index craftum_domains_proved on craftum_domains (fqdn) where proved_at is not null;
create index craftum_domains_due on craftum_domains (look_at);
