-- With an SSH key of an account, files of every server are reached over SFTP that it may manage.
create table ssh_keys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  name text not null,
  algorithm text not null,
  -- As RFC 4253 writes it.
  public_key bytea not null,
  fingerprint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_ip inet,
  unique (user_id, fingerprint)
);

-- Of one account on one server. A new one is a new row: what the old one has opened ends with it.
create table sftp_passwords (
  id uuid primary key default uuidv7(),
  server_id uuid not null references servers,
  user_id uuid not null references users,
  password_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_ip inet,
  unique (server_id, user_id)
);
create index sftp_passwords_user on sftp_passwords (user_id);

create table sftp_settings (
  server_id uuid primary key references servers,
  keys_only boolean not null
);

-- Sessions end when that goes by which they came.
create function tell_sftp_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', old.user_id::text);
  return null;
end $$;
create trigger ssh_keys_told after delete on ssh_keys for each row execute function tell_sftp_gone();
create trigger sftp_passwords_told after delete on sftp_passwords for each row execute function tell_sftp_gone();

create function tell_sftp_keys_only() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', user_id::text) from sftp_passwords where server_id = new.server_id;
  return null;
end $$;
create trigger sftp_settings_told after insert or update on sftp_settings for each row when (new.keys_only)
  execute function tell_sftp_keys_only();

-- Who changes the password of an account shuts out whoever had it, and with it made others.
create function forget_sftp_passwords() returns trigger language plpgsql as $$
begin
  delete from sftp_passwords where user_id = new.id;
  return null;
end $$;
create trigger users_password_changed after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function forget_sftp_passwords();
