-- Its owner does not want to be told any more what to do first with it.
alter table servers add column first_steps_closed boolean not null default false;
