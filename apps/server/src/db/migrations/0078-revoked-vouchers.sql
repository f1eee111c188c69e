-- A code that was taken back: nobody uses it any more, what it has given stays given. Null: it was not.
alter table vouchers add column revoked_at timestamptz;
