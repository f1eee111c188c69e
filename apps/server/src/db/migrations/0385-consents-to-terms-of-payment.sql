-- The tick at registration is for the terms of payment too.
alter table consents drop constraint consents_subject_check;
alter table consents add constraint consents_subject_check check (subject in ('terms', 'payments', 'gdpr', 'cookies'));
