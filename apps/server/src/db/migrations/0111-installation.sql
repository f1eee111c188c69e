-- Which keys this database is used with: a mark that follows from them, and from which they do not follow.
create table installation (
  is_only boolean primary key default true check (is_only),
  keys_mark text not null
);
