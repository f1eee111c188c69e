-- Whether any are, is asked where nothing was found.
create index releases_checking on releases (project_id) where state = 'checking';
