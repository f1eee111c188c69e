/** Dumps of panels as Pterodactyl 1.11 and Pelican have their tables, with as many servers as a test wants. */
import { createHash } from 'node:crypto'
import { type DumpTable, writeDump } from './dump-writer.ts'

type Cell = string | number | null
type Rows = Record<string, Cell>[]

const columnsOf = {
  locations: ['id', 'short', 'long', 'created_at', 'updated_at'],
  nodes: [
    'id',
    'uuid',
    'public',
    'name',
    'location_id',
    'fqdn',
    'scheme',
    'memory',
    'disk',
    'daemon_token',
    'created_at',
  ],
  nests: ['id', 'uuid', 'author', 'name', 'description', 'created_at', 'updated_at'],
  eggs: [
    'id',
    'uuid',
    'nest_id',
    'author',
    'name',
    'description',
    'features',
    'docker_images',
    'startup',
    'created_at',
  ],
  egg_variables: ['id', 'egg_id', 'name', 'description', 'env_variable', 'default_value', 'user_viewable', 'rules'],
  users: [
    'id',
    'external_id',
    'uuid',
    'username',
    'email',
    'name_first',
    'name_last',
    'password',
    'remember_token',
    'language',
    'root_admin',
    'use_totp',
    'totp_secret',
    'gravatar',
    'created_at',
    'updated_at',
  ],
  servers: [
    'id',
    'external_id',
    'uuid',
    'uuidShort',
    'node_id',
    'name',
    'description',
    'status',
    'skip_scripts',
    'owner_id',
    'memory',
    'swap',
    'disk',
    'io',
    'cpu',
    'threads',
    'oom_disabled',
    'allocation_id',
    'nest_id',
    'egg_id',
    'startup',
    'image',
    'allocation_limit',
    'database_limit',
    'backup_limit',
    'created_at',
    'updated_at',
    'installed_at',
  ],
  server_variables: ['id', 'server_id', 'variable_id', 'variable_value', 'created_at', 'updated_at'],
  allocations: ['id', 'node_id', 'ip', 'ip_alias', 'port', 'server_id', 'notes', 'created_at', 'updated_at'],
  database_hosts: ['id', 'name', 'host', 'port', 'username', 'password', 'max_databases', 'node_id'],
  databases: ['id', 'server_id', 'database_host_id', 'database', 'username', 'remote', 'password', 'max_connections'],
  subusers: ['id', 'user_id', 'server_id', 'permissions', 'created_at', 'updated_at'],
  schedules: [
    'id',
    'server_id',
    'name',
    'cron_day_of_week',
    'cron_month',
    'cron_day_of_month',
    'cron_hour',
    'cron_minute',
    'is_active',
    'is_processing',
    'only_when_online',
    'last_run_at',
    'next_run_at',
  ],
  tasks: ['id', 'schedule_id', 'sequence_id', 'action', 'payload', 'time_offset', 'is_queued', 'continue_on_failure'],
  backups: [
    'id',
    'server_id',
    'uuid',
    'is_successful',
    'is_locked',
    'name',
    'ignored_files',
    'disk',
    'checksum',
    'bytes',
    'completed_at',
    'created_at',
    'updated_at',
    'deleted_at',
  ],
  mounts: ['id', 'uuid', 'name', 'source', 'target', 'read_only', 'user_mountable'],
  mount_server: ['server_id', 'mount_id'],
  user_ssh_keys: ['id', 'user_id', 'name', 'fingerprint', 'public_key', 'deleted_at'],
  activity_logs: ['id', 'batch', 'event', 'ip', 'properties', 'timestamp'],
} as const
type Name = keyof typeof columnsOf

export type Panel = { tables: Record<Name, Rows> }

/** A uuid that is the same in each run. */
export function uuidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What people sign in with there, and its hash as PHP writes it, at the least cost. */
export const knownPassword = 'correct horse battery'
export const knownHash = '$2y$04$gZCKX1zRBqfqAA27oIJlQuXEV93RLaQrjYfo.ZezvgS4GNcmkPvWe'

const eggNames = ['Paper', 'Vanilla Minecraft', 'Forge Minecraft', 'Bungeecord', 'Velocity', 'Purpur'] as const

/** Eggs as they come with the panel, and `users` people. */
export function makePanel({ users, password }: { users: number; password: string }): Panel {
  const tables = Object.fromEntries(Object.keys(columnsOf).map((name) => [name, []])) as unknown as Panel['tables']
  tables.locations.push({ id: 1, short: 'de', long: null })
  tables.nodes.push({
    id: 1,
    uuid: uuidFor('node'),
    public: 1,
    name: "Anna's node",
    location_id: 1,
    daemon_token: 'secret',
  })
  tables.nests.push({ id: 1, uuid: uuidFor('nest'), author: 'support@pterodactyl.io', name: 'Minecraft' })
  tables.mounts.push({ id: 1, uuid: uuidFor('mount'), name: 'maps', source: '/srv/maps', target: '/mnt/maps' })
  tables.database_hosts.push({ id: 1, name: 'sql', host: '10.0.0.3', port: 3306, username: 'root', password: 'x' })
  eggNames.forEach((name, index) => {
    const id = index + 1
    tables.eggs.push({ id, uuid: uuidFor(name), nest_id: 1, author: 'parker@example.test', name, features: '["eula"]' })
    const variable =
      name === 'Vanilla Minecraft' ? 'VANILLA_VERSION' : name === 'Forge Minecraft' ? 'MC_VERSION' : 'MINECRAFT_VERSION'
    tables.egg_variables.push({
      id,
      egg_id: id,
      env_variable: variable,
      default_value: 'latest',
      rules: 'required|string',
    })
  })
  for (let id = 1; id <= users; id++)
    tables.users.push({
      id,
      uuid: uuidFor(`user ${id}`),
      username: `player.${id}`,
      email: `Player${id}@example.test`,
      name_first: 'Ola',
      name_last: 'O\'Neil; -- \\ "',
      password,
      language: id % 3 === 0 ? 'pl' : 'en',
      root_admin: id === 1 ? 1 : 0,
      use_totp: id === 2 ? 1 : 0,
    })
  tables.activity_logs.push({ id: 1, event: 'server:console.command', properties: '{"command":"say \'); DROP"}' })
  return { tables }
}

export type ServerWish = {
  owner: number
  name?: string
  egg?: (typeof eggNames)[number] | number
  memory?: number
  disk?: number
  cpu?: number
  version?: string
  suspended?: boolean
}

/** Adds a server with an address of its own. @returns its uuid */
export function addServer({ tables }: Panel, wish: ServerWish): string {
  const id = tables.servers.length + 1
  const uuid = uuidFor(`server ${id}`)
  const egg = typeof wish.egg === 'number' ? wish.egg : eggNames.indexOf(wish.egg ?? 'Paper') + 1
  tables.allocations.push(
    { id: id * 2 - 1, node_id: 1, ip: '203.0.113.7', ip_alias: 'play.example.test', port: 25_564 + id, server_id: id },
    { id: id * 2, node_id: 1, ip: '203.0.113.7', ip_alias: null, port: 35_564 + id, server_id: id },
  )
  tables.servers.push({
    id,
    uuid,
    uuidShort: uuid.slice(0, 8),
    node_id: 1,
    name: wish.name ?? `Survival ${id}`,
    description: '',
    status: wish.suspended === true ? 'suspended' : null,
    skip_scripts: 0,
    owner_id: wish.owner,
    memory: wish.memory ?? 2048,
    swap: 0,
    disk: wish.disk ?? 5120,
    io: 500,
    cpu: wish.cpu ?? 200,
    oom_disabled: 1,
    allocation_id: id * 2 - 1,
    nest_id: 1,
    egg_id: egg,
    startup: 'java -Xms128M -jar {{SERVER_JARFILE}}',
    image: 'ghcr.io/pterodactyl/yolks:java_21',
    installed_at: '2026-01-01 00:00:00',
  })
  if (wish.version !== undefined)
    tables.server_variables.push({ id, server_id: id, variable_id: egg, variable_value: wish.version })
  return uuid
}

export function addSchedule(
  { tables }: Panel,
  server: number,
  tasks: [action: string, payload: string, offset: number][],
  more: Partial<Record<(typeof columnsOf.schedules)[number], Cell>> = {},
): void {
  const id = tables.schedules.length + 1
  tables.schedules.push({
    id,
    server_id: server,
    name: `Schedule ${id}`,
    cron_day_of_week: '*',
    cron_month: '*',
    cron_day_of_month: '*',
    cron_hour: '4',
    cron_minute: '*/15',
    is_active: 1,
    only_when_online: 1,
    ...more,
  })
  tasks.forEach(([action, payload, offset], index) =>
    tables.tasks.push({
      id: id * 10 + index,
      schedule_id: id,
      sequence_id: index + 1,
      action,
      payload,
      time_offset: offset,
    }),
  )
}

export const dumpOf = ({ tables }: Panel, options: Parameters<typeof writeDump>[1] = {}): Buffer =>
  writeDump(
    (Object.keys(columnsOf) as Name[]).map((name): DumpTable => ({
      name,
      columns: columnsOf[name].map((column) => ({ name: column, type: 'varchar(191) COLLATE utf8mb4_unicode_ci' })),
      rows: tables[name].map((row) => columnsOf[name].map((column) => row[column] ?? null)),
    })),
    options,
  )

/** Rows of any system, as a dump. */
export const dumpRows = (tables: Record<string, { columns: string[]; rows: Cell[][] }>): Buffer =>
  writeDump(
    Object.entries(tables).map(([name, { columns, rows }]) => ({
      name,
      columns: columns.map((column) => ({ name: column, type: 'text' })),
      rows,
    })),
  )
