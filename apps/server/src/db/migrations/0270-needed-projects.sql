-- Names of what a release needs, in both spellings of its manifest, to find whoever needs a project.
create function needed_names(manifest jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct name), '{}') from (
    select case jsonb_typeof(selector) when 'string' then selector #>> '{}' else selector ->> 'name' end as name
    from (
      select jsonb_array_elements(coalesce(manifest -> 'depends', '[]')) as selector
      union all
      select dependency -> 'selector' from jsonb_array_elements(coalesce(manifest -> 'dependencies', '[]')) dependency
      where coalesce(dependency ->> 'kind', 'required') in ('required', 'optional')
    ) selectors
  ) names where name is not null
$$;
create index releases_needed on releases using gin (needed_names(manifest))
  where state = 'published' and release_type <> 'private' and archived_at is null;
