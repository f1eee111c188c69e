-- What people think of the product.
create table feedback (
  id uuid primary key default uuidv7(),
  user_id uuid references users on delete set null,
  rate smallint not null check (rate between 0 and 10),
  causes text[] not null,
  advantages text[] not null,
  comment text not null,
  age text,
  language text not null check (language in ('en', 'pl', 'de')),
  server_id uuid references servers on delete set null,
  -- Its writer agrees to others reading the comment.
  may_publish boolean not null,
  published_at timestamptz check (published_at is null or may_publish),
  created_at timestamptz not null default now()
);
create index feedback_created on feedback (created_at desc, id desc);
create index feedback_user on feedback (user_id) where user_id is not null;
create index feedback_server on feedback (server_id) where server_id is not null;
create index feedback_published on feedback (published_at desc) where published_at is not null;

-- When somebody was last asked.
create table survey_asks (
  user_id uuid primary key references users on delete cascade,
  asked_at timestamptz not null default now()
);
