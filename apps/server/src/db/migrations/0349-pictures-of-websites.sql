-- Pictures that websites show. A hundred kilobytes each, and few: beside what refers to them they are backed up, and
-- deleted, with it.
create table craftum_images (
  craftum_id uuid not null references craftums,
  -- Made of what it shows.
  name text not null check (name ~ '^[0-9a-f]{32}\.webp$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes > 0),
  content bytea not null check (length(content) = bytes),
  created_at timestamptz not null default now(),
  primary key (craftum_id, name)
);
-- They are compressed already.
alter table craftum_images alter column content set storage external;
