-- Certificates that the product has got for its own hosts, and what it needs to get them.
create table certificates (
  -- A host, or `*.` and a domain.
  name text primary key,
  -- PEM, the host's own first; null until there is one.
  chain text,
  -- PEM, sealed.
  key bytea,
  not_after timestamptz,
  next_attempt_at timestamptz not null default now(),
  -- That failed, one after the other.
  attempts integer not null default 0,
  -- As the authority says it.
  last_error text,
  -- Since when nobody needs it.
  unwanted_since timestamptz,
  created_at timestamptz not null default now(),
  check ((chain is null) = (key is null) and (chain is null) = (not_after is null))
);
create index certificates_due on certificates (next_attempt_at) where unwanted_since is null;

create function tell_certificate() returns trigger language plpgsql as $$
begin
  perform pg_notify('certificates_changed', coalesce(new.name, old.name));
  return null;
end $$;
create trigger certificates_written after insert or delete or update of chain on certificates
  for each row execute function tell_certificate();

-- Who we are at an authority, by its address.
create table acme_accounts (
  directory_url text primary key,
  -- PEM, sealed.
  key bytea not null,
  account_url text
);

-- What is told to an authority that asks a host of ours over HTTP.
create table acme_answers (
  token text primary key,
  answer text not null,
  created_at timestamptz not null default now()
);
