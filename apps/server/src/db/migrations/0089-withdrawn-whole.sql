-- Whether all was given back of what had begun, as its buyer had not asked for that: once in a year nobody pays for such
-- time, and then they have to ask.
alter table withdrawals add column whole boolean not null default false;
create index withdrawals_whole on withdrawals (user_id) where whole;
