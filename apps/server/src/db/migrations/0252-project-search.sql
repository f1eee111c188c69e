-- One document for each public project, from which the gallery is searched. It is written anew with whatever it is of.
create extension if not exists unaccent;
create extension if not exists pg_trgm;

create table project_documents (
  project_id uuid primary key references projects on delete cascade,
  name text not null,
  words tsvector not null,
  -- Category, games and labels.
  facets text[] not null,
  -- Of each release `loader:version`, `loader:*` and `*:version`: two releases never meet a filter together.
  compat text[] not null,
  has_release boolean not null,
  downloads bigint not null,
  follows integer not null,
  updated_at timestamptz not null,
  released_at timestamptz not null
);
create index project_documents_words on project_documents using gin (words);
create index project_documents_facets on project_documents using gin (facets);
create index project_documents_compat on project_documents using gin (compat);
create index project_documents_name on project_documents (name text_pattern_ops);
create index project_documents_downloads on project_documents (downloads desc, project_id desc);
create index project_documents_follows on project_documents (follows desc, project_id desc);
create index project_documents_updated on project_documents (updated_at desc, project_id desc);
create index project_documents_released on project_documents (released_at desc, project_id desc);

-- Every word there is, for words that are mistyped.
create table project_words (word text primary key);
create index project_words_trigrams on project_words using gin (word gin_trgm_ops);
create index project_words_prefix on project_words (word text_pattern_ops);

-- Lower case without accents, as documents and questions are compared.
create function plain_words(said text) returns text language sql stable parallel safe as $$
  select regexp_replace(lower(unaccent(said)), '[^a-z0-9]+', ' ', 'g')
$$;

create function write_project_documents(wanted uuid[]) returns void language sql as $$
  delete from project_documents where project_id = any(wanted);
  insert into project_documents
  select project.id, trim(plain_words(project.name)),
    setweight(to_tsvector('simple', plain_words(project.name)), 'A') ||
    setweight(to_tsvector('simple', plain_words(project.slug || ' ' || project.author_name)), 'B') ||
    setweight(to_tsvector('simple', plain_words(array_to_string(project.labels, ' ') || ' ' || coalesce(told.words, ''))), 'C'),
    array[project.project_type] || project.game_tags || project.labels,
    coalesce(fits.compat, '{}'), published.first_at is not null, project.downloads, project.follows,
    greatest(published.last_at, project.created_at), coalesce(published.first_at, project.created_at)
  from projects project
  left join lateral (
    select string_agg(short_description, ' ') as words from project_descriptions where project_id = project.id
  ) told on true
  left join lateral (
    select min(published_at) as first_at, max(published_at) as last_at from releases
    where project_id = project.id and state = 'published' and release_type <> 'private' and archived_at is null
  ) published on true
  left join lateral (
    select array_agg(distinct code) as compat from (
      select unnest(array[loader || ':' || game, loader || ':*', '*:' || game]) as code
      from releases, unnest(loaders) as loader, unnest(game_versions) as game
      where project_id = project.id and state = 'published' and release_type <> 'private' and archived_at is null
    ) codes
  ) fits on true
  where project.id = any(wanted) and project.visibility = 'public' and project.taken_down_at is null;
  insert into project_words
  select distinct word from project_documents, unnest(tsvector_to_array(words)) as word
  where project_id = any(wanted) and length(word) between 3 and 40
  on conflict do nothing;
$$;

create function project_was_told() returns trigger language plpgsql as $$
begin
  perform write_project_documents(array[coalesce(new.project_id, old.project_id)]);
  return null;
end $$;
create function project_was_changed() returns trigger language plpgsql as $$
begin
  perform write_project_documents(array[new.id]);
  return null;
end $$;
create trigger projects_documented after insert or update of
  name, slug, author_name, project_type, game_tags, labels, visibility, taken_down_at on projects
  for each row execute function project_was_changed();
create trigger project_descriptions_documented after insert or update or delete on project_descriptions
  for each row execute function project_was_told();
create trigger releases_documented after insert or update of state, release_type, archived_at or delete on releases
  for each row execute function project_was_told();
-- Counters change often: only they are written then.
create function project_was_counted() returns trigger language plpgsql as $$
begin
  update project_documents set downloads = new.downloads, follows = new.follows where project_id = new.id;
  return null;
end $$;
create trigger projects_counted after update of downloads, follows on projects for each row
  when ((old.downloads, old.follows) is distinct from (new.downloads, new.follows))
  execute function project_was_counted();
