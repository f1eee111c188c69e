-- While a server moves between two clusters of machines with agents, it has files in both.
alter table agent_servers add column cluster_id text references clusters (id);
update agent_servers set cluster_id = agents.cluster_id from agents where agents.id = agent_id;
alter table agent_servers
  alter column cluster_id set not null,
  drop constraint agent_servers_pkey,
  add primary key (server_id, cluster_id);
