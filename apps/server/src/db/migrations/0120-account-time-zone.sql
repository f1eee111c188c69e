-- Where a user's clock stands: times in mails and notices are told by it. As their browser last said.
alter table users add column time_zone text check (length(time_zone) between 1 and 64);

-- Callers are kept in memory with their language.
create trigger users_language after update of language on users for each row
  when (old.language is distinct from new.language) execute function tell_user_gone();
