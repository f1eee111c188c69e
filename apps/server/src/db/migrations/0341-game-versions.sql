-- The version of Minecraft that a server runs, apart from that of its engine: a proxy speaks several, and engines such as
-- PocketMine-MP count their own. Worlds are held against this one.
alter table servers add column game_version text;

update servers set game_version = (
  select provided ->> 'version'
  from server_plans, jsonb_array_elements(plan -> 'packages') package, jsonb_array_elements(package -> 'provides') provided
  where server_plans.server_id = servers.id and provided ->> 'name' = 'minecraft'
  limit 1
);
