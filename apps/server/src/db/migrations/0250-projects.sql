-- Projects of the marketplace, who works on them, what they show and who follows them.
create table projects (
  id uuid primary key default uuidv7(),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 64),
  name text not null,
  project_type text not null,
  game_tags text[] not null default '{}',
  labels text[] not null default '{}',
  author_name text not null default '',
  website_url text,
  translation_prompt text,
  license text,
  visibility text not null check (visibility in ('public', 'unlisted', 'private')),
  -- Made by the installation itself, to show what there could be.
  is_sample boolean not null default false,
  verified_at timestamptz,
  -- From its first public release on its address stays.
  released_at timestamptz,
  archived_at timestamptz,
  taken_down_at timestamptz,
  takedown_reason text,
  views bigint not null default 0,
  downloads bigint not null default 0,
  follows integer not null default 0,
  recommended integer not null default 0,
  not_recommended integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((taken_down_at is null) = (takedown_reason is null))
);

create table project_descriptions (
  project_id uuid not null references projects on delete cascade,
  language text not null,
  short_description text not null,
  -- Markdown, and what was made of it when it was saved.
  description text not null,
  html text not null,
  is_original boolean not null,
  primary key (project_id, language)
);
create unique index project_descriptions_original on project_descriptions (project_id) where is_original;

create table project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users,
  role text not null check (role in ('viewer', 'editor', 'maintainer', 'owner')),
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);

create table project_media (
  project_id uuid not null references projects on delete cascade,
  name text not null,
  kind text not null check (kind in ('icon', 'thumbnail', 'image', 'video')),
  bytes integer not null,
  width integer,
  height integer,
  created_at timestamptz not null default now(),
  primary key (project_id, name)
);
create unique index project_media_single on project_media (project_id, kind) where kind in ('icon', 'thumbnail');

create table project_follows (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_follows_user on project_follows (user_id, created_at desc);

create function count_project_follows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update projects set follows = follows + 1 where id = new.project_id;
  else
    update projects set follows = follows - 1 where id = old.project_id;
  end if;
  return null;
end $$;
create trigger project_follows_counted after insert or delete on project_follows
  for each row execute function count_project_follows();
