-- Below which address the plans of servers name our own artifacts. It changes with a port or a name of the API.
alter table installation add artifact_url text;
