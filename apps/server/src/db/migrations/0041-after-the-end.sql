-- What becomes of a server after its end.

alter table servers
  -- When it was decided that its files go. Its volume is then removed by the reconciler, and nothing brings them back.
  add column files_deleted_at timestamptz,
  -- When the volume was gone.
  add column volume_removed_at timestamptz,
  -- Somebody played or started it: a free one that nobody uses is cleaned up.
  add column last_used_at timestamptz not null default now(),
  add check (volume_removed_at is null or files_deleted_at is not null);
update servers set last_used_at = greatest(created_at, launched_at);

-- Transactions of a service.
create index transactions_service on transactions ((details ->> 'service_id'), id desc) where details ? 'service_id';
