-- MySQL of servers: what is in it, its password too, lies with the server alone.
create table server_mysql (
  server_id uuid primary key references servers,
  created_at timestamptz not null default now(),
  password_created_at timestamptz not null default now()
);

-- It goes with the files.
create function forget_mysql() returns trigger language plpgsql as $$
begin
  delete from server_mysql where server_id = new.id;
  return null;
end $$;
create trigger servers_mysql_forgotten after update on servers for each row
  when (old.files_deleted_at is null and new.files_deleted_at is not null
    or old.deleted_at is null and new.deleted_at is not null)
  execute function forget_mysql();

-- Servers carry what their plan had when it was last changed.
update products set parameters = parameters || '{"mysql": 2147483648}'::jsonb where id = 'AMETHYST';
update servers set limits = limits || '{"mysql": 2147483648}'::jsonb
from services service
where service.id = servers.service_id and service.product_id = 'AMETHYST';
