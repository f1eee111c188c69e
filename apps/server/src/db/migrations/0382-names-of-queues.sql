-- Four queues have other names. What the clock has put, and would put, into those of before is waited for by nobody.
do $$ begin
  if to_regclass('pgboss.schedule') is not null then
    delete from pgboss.schedule where name in ('heed-bills', 'heed-referrals', 'heed-affiliates', 'heed-service-clock');
    delete from pgboss.job where name in ('heed-bills', 'heed-referrals', 'heed-affiliates', 'heed-service-clock');
  end if;
end $$;
