-- Descriptions of projects that a machine has put into languages that their authors left empty. They are apart from what
-- authors write, so that nothing can overwrite that: where there is a text of the author's, it is the one that counts.
create table project_translations (
  project_id uuid not null references projects on delete cascade,
  language text not null check (language in ('en', 'pl', 'de')),
  -- SHA-256 of what was to be translated; another one: the author has changed it since.
  source_digest text not null,
  state text not null check (state in ('pending', 'done', 'failed')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  short_description text,
  description text,
  html text,
  made_at timestamptz,
  primary key (project_id, language),
  check ((state = 'done') = (html is not null))
);

-- Characters that were sent to the service, by day: tries that failed cost as well.
create table translation_spending (
  day date primary key,
  characters bigint not null
);

-- What a translation is made of. Another one: the author has changed it since.
create function translation_source(original project_descriptions, hint text) returns text language sql immutable
return encode(sha256(convert_to(
  concat_ws(chr(31), original.language, original.short_description, original.description, coalesce(hint, '')), 'UTF8')), 'hex');
