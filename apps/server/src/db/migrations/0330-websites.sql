-- Websites: what is rented is not always a server.

create table craftums (
  id uuid primary key default uuidv7(),
  service_id uuid not null unique references services,
  owner_id uuid not null references users,
  name text not null,
  -- What only the owner sees until it is published. Emptied when the website is cleaned up.
  draft jsonb,
  -- Grows with each change of the draft.
  revision integer not null default 1,
  saved_at timestamptz not null default now(),
  -- Of those below; null: nothing is published.
  published_version integer,
  created_at timestamptz not null default now(),
  -- When it will be deleted; set when that is told.
  cleanup_date timestamptz,
  deleted_at timestamptz,
  check ((draft is null) = (deleted_at is not null))
);
create index craftums_owner on craftums (owner_id);

create table craftum_versions (
  craftum_id uuid not null references craftums,
  version integer not null check (version > 0),
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (craftum_id, version)
);

-- What is published never changes.
create function keep_craftum_version() returns trigger language plpgsql as $$
begin raise exception 'a version of a website never changes'; end $$;
create trigger craftum_versions_fixed before update on craftum_versions for each row execute function keep_craftum_version();

alter table craftums add constraint craftums_published
  foreign key (id, published_version) references craftum_versions (craftum_id, version) deferrable initially deferred;

-- Addresses below the domain of all websites. One that was given up is kept from others for a while.
create table craftum_names (
  name text primary key check (name = lower(name)),
  user_id uuid not null references users,
  craftum_id uuid unique references craftums,
  reserved_until timestamptz,
  check ((craftum_id is null) = (reserved_until is not null))
);
create index craftum_names_user on craftum_names (user_id);

-- A purchase that is sent twice is made once, whatever is bought.
alter table purchase_keys
  alter column server_id drop not null,
  add column craftum_id uuid references craftums deferrable initially deferred,
  add check (num_nonnulls(server_id, craftum_id) = 1);

alter table notifications drop constraint notifications_resource_type_check;
alter table notifications add constraint notifications_resource_type_check
  check (resource_type in ('user', 'server', 'service', 'transaction', 'ticket', 'craftum'));

-- On sale.
update products set visible = true, available = true where id = 'BASIC_CRAFTUM';
