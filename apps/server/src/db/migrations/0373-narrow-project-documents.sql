-- Loader and version as numbers: documents are read from all over the table, and half of each was these names.
-- The first four bytes of a hash that no version of PostgreSQL changes.
create function compat_code(label text) returns integer language sql immutable strict parallel safe
  return ('x' || left(md5(label), 8))::bit(32)::integer;

drop index project_documents_words;
drop index project_documents_facets;
drop index project_documents_compat;
alter table project_documents drop column compat;
alter table project_documents add column compat integer[] not null default '{}';
alter table project_documents alter column compat drop default;

create or replace function write_project_documents(wanted uuid[]) returns void language sql as $$
  delete from project_documents where project_id = any(wanted);
  insert into project_documents
    (project_id, name, words, facets, has_release, downloads, follows, updated_at, released_at, compat)
  select project.id, trim(plain_words(project.name)),
    setweight(to_tsvector('simple', plain_words(project.name)), 'A') ||
    setweight(to_tsvector('simple', plain_words(project.slug || ' ' || project.author_name)), 'B') ||
    setweight(to_tsvector('simple', plain_words(array_to_string(project.labels, ' ') || ' ' || coalesce(told.words, ''))), 'C'),
    array[project.project_type] || project.game_tags || project.labels,
    published.first_at is not null, project.downloads, project.follows,
    greatest(published.last_at, project.created_at), coalesce(published.first_at, project.created_at),
    coalesce(fits.compat, '{}')
  from projects project
  left join lateral (
    select string_agg(short_description, ' ') as words from project_descriptions where project_id = project.id
  ) told on true
  left join lateral (
    select min(published_at) as first_at, max(published_at) as last_at from releases
    where project_id = project.id and state = 'published' and release_type <> 'private' and archived_at is null
  ) published on true
  left join lateral (
    select array_agg(distinct compat_code(label)) as compat from (
      select unnest(array[loader || ':' || game, loader || ':*', '*:' || game]) as label
      from releases, unnest(loaders) as loader, unnest(game_versions) as game
      where project_id = project.id and state = 'published' and release_type <> 'private' and archived_at is null
    ) labels
  ) fits on true
  where project.id = any(wanted) and project.visibility = 'public' and project.taken_down_at is null;
  insert into project_words
  select distinct word from project_documents, unnest(tsvector_to_array(words)) as word
  where project_id = any(wanted) and length(word) between 3 and 40
  on conflict do nothing;
$$;
select write_project_documents(array(select project_id from project_documents));

-- One index for all conditions: it finds what meets them together, instead of everything that meets each.
create index project_documents_found on project_documents using gin (words, facets, compat);

-- A word, and what is left of it without each of its letters. Two words that share one of these are a letter apart, or two
-- that stand side by side are changed round; a few more share one, so distances are still compared.
create function without_one_letter(word text) returns text[] language sql immutable strict parallel safe
  return (select array_agg(distinct left(word, at - 1) || substr(word, at + 1)) || word
    from generate_series(1, length(word)) as at);
create index project_words_without_one_letter on project_words using gin (without_one_letter(word))
  where length(word) <= 8;
