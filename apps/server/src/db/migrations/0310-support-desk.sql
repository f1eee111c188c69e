-- Tickets are answered here: who looks after one, since when its writer waits, what came along with it.
alter table support_tickets
  add column assignee_id uuid references users on delete set null,
  add column server_id uuid references servers on delete set null,
  -- The server as it was when it was written about; its lines hold no secrets.
  add column context jsonb,
  -- Since when the writer waits for an answer; null: they do not.
  add column waiting_since timestamptz,
  add column solved_at timestamptz,
  -- The closed ticket that it goes on from.
  add column follows_id uuid references support_tickets on delete set null,
  add column satisfaction text check (satisfaction in ('good', 'bad')),
  add column satisfaction_comment text not null default '',
  add column satisfied_at timestamptz;
update support_tickets set waiting_since = created_at where status in ('NEW', 'OPEN');
create index support_tickets_waiting on support_tickets (waiting_since) where waiting_since is not null;
create index support_tickets_assignee on support_tickets (assignee_id) where assignee_id is not null;
create index support_tickets_server on support_tickets (server_id) where server_id is not null;
create index support_tickets_follows on support_tickets (follows_id) where follows_id is not null;
create index support_tickets_solved on support_tickets (solved_at) where status = 'SOLVED';

alter table support_messages
  -- Seen by support alone.
  add column is_note boolean not null default false,
  add column via text not null default 'panel' check (via in ('panel', 'mail')),
  -- Of a mail from another address than the ticket's.
  add column sender_email text,
  -- What the sender's program called the mail; it is taken in once.
  add column mail_id text unique,
  -- Files of a mail that were not taken.
  add column left_out smallint not null default 0;
create index support_messages_author on support_messages (author_id) where author_id is not null;

create table support_attachments (
  id uuid primary key default uuidv7(),
  message_id uuid not null references support_messages on delete cascade,
  -- As its sender called it; shown, and never used as a path.
  name text not null,
  kind text not null check (kind in ('picture', 'text')),
  bytes integer not null,
  width integer,
  height integer,
  created_at timestamptz not null default now()
);
create index support_attachments_message on support_attachments (message_id, id);

-- Answers that are written often.
create table support_macros (
  id uuid primary key default uuidv7(),
  name text not null,
  -- By language.
  texts jsonb not null,
  status text not null check (status in ('PENDING', 'SOLVED'))
);
create unique index support_macros_name on support_macros (lower(name));

create function tell_ticket_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('tickets_changed', json_build_object('id', new.id, 'user', new.user_id)::text);
  return null;
end $$;
create trigger support_tickets_changed after insert or update on support_tickets
  for each row execute function tell_ticket_changed();
