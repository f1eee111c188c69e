-- What MySQL stores of a server's password: it is set again where a server moves to. Missing for those from before.
alter table server_mysql add column password_hash text check (password_hash ~ '^\*[0-9A-F]{40}$');
