-- Releases by what they say that they provide.
create index releases_provides on releases using gin ((manifest -> 'provides') jsonb_path_ops)
  where state in ('published', 'withdrawn');
