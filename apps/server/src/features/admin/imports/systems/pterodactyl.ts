/**
 * Pterodactyl (1.x) and Pelican, which has come of it: the same tables but for a few columns. Facts of their migrations.
 */
import { readDump, type Row, type Tables, type Wanted } from '#src/adapters/dumps/mysql-dump.ts'
import { type Found, type FoundAccount, type FoundSchedule, type FoundServer, languageOf } from '../model.ts'
import { groupBy, indexBy, isSet, numberOf, textOf, withoutTimes, wordsOf } from './values.ts'

const common = {
  users: {
    columns: ['id', 'uuid', 'username', 'email', 'password', 'language'],
    more: ['root_admin', 'use_totp', 'mfa_app_secret'],
  },
  servers: {
    columns: ['id', 'uuid', 'name', 'status', 'owner_id', 'memory', 'disk', 'cpu', 'allocation_id', 'egg_id'],
    more: ['description'],
  },
  eggs: { columns: ['id', 'name'] },
  egg_variables: { columns: ['id', 'egg_id', 'env_variable', 'default_value'] },
  server_variables: { columns: ['server_id', 'variable_id', 'variable_value'] },
  allocations: { columns: ['id', 'ip', 'port', 'server_id'], more: ['ip_alias'] },
  databases: { columns: ['id', 'server_id', 'database'] },
  subusers: { columns: ['user_id', 'server_id', 'permissions'] },
  schedules: {
    columns: [
      'id',
      'server_id',
      'name',
      'cron_day_of_week',
      'cron_day_of_month',
      'cron_hour',
      'cron_minute',
      'is_active',
    ],
    more: ['cron_month', 'only_when_online'],
  },
  tasks: { columns: ['schedule_id', 'sequence_id', 'action', 'payload', 'time_offset'] },
  backups: { columns: ['server_id', 'uuid', 'name', 'bytes'], more: ['completed_at', 'deleted_at', 'is_successful'] },
  // Named in the report: they do not come along.
  user_ssh_keys: { columns: ['user_id'], isOptional: true },
  api_keys: { columns: ['user_id'], isOptional: true },
  mount_server: { columns: ['server_id'], isOptional: true },
  roles: { columns: ['id', 'name'], isOptional: true },
  model_has_roles: { columns: ['role_id', 'model_id'], isOptional: true },
} satisfies Record<string, Wanted>

type PanelTables = Tables<keyof typeof common>

export async function readPanel(file: string): Promise<Found> {
  const tables = await readDump(file, common)
  const accounts = readAccounts(tables)
  const keys = new Map(tables.users.map((row) => [wordsOf(row, 'id'), wordsOf(row, 'uuid')]))
  const notes = [
    countNote(tables.user_ssh_keys, 'SSH key', 'their owners add them under Files'),
    countNote(tables.api_keys, 'API key', 'their owners make new ones'),
  ].filter((note) => note !== undefined)
  return { accounts, balances: [], servers: readServers(tables, keys), notes }
}

const countNote = (rows: readonly Row[], what: string, then: string) =>
  rows.length === 0
    ? undefined
    : `${rows.length} ${what}${rows.length === 1 ? ' does' : 's do'} not come along: ${then}.`

function readAccounts({ users, roles, model_has_roles }: PanelTables): FoundAccount[] {
  const rolesById = indexBy(roles, 'id')
  const rolesOf = groupBy(model_has_roles, 'model_id')
  return users.map((row) => {
    const held = (rolesOf.get(wordsOf(row, 'id')) ?? []).map((role) => rolesById.get(wordsOf(role, 'role_id')))
    const names = held.flatMap((role) => (role === undefined ? [] : [wordsOf(role, 'name')]))
    const isAdministrator = isSet(row, 'root_admin') || names.length > 0
    const hasFactor = isSet(row, 'use_totp') || wordsOf(row, 'mfa_app_secret') !== ''
    return {
      key: wordsOf(row, 'uuid'),
      row: withoutTimes(row),
      email: wordsOf(row, 'email'),
      username: textOf(row, 'username'),
      language: languageOf(textOf(row, 'language')),
      country: null,
      passwordHash: textOf(row, 'password'),
      isVerified: false,
      notes: [
        ...(isAdministrator ? ['administers there; comes as a customer'] : []),
        ...(hasFactor ? ['has a second factor there, to be set up anew'] : []),
      ],
      taxData: null,
    }
  })
}

const mebibyte = 1024 ** 2
/** 0 is no limit there. */
const sizeOf = (row: Row, column: string) => {
  const number = numberOf(row, column)
  return number <= 0 ? null : number * mebibyte
}

function readServers(tables: PanelTables, accountKeys: ReadonlyMap<string, string>): FoundServer[] {
  const eggs = indexBy(tables.eggs, 'id')
  const eggVariables = groupBy(tables.egg_variables, 'egg_id')
  const ownVariables = groupBy(tables.server_variables, 'server_id')
  const allocations = groupBy(tables.allocations, 'server_id')
  const databases = groupBy(tables.databases, 'server_id')
  const subusers = groupBy(tables.subusers, 'server_id')
  const schedules = groupBy(tables.schedules, 'server_id')
  const tasks = groupBy(tables.tasks, 'schedule_id')
  const backups = groupBy(tables.backups, 'server_id')
  const mounts = groupBy(tables.mount_server, 'server_id')
  return tables.servers.map((row) => {
    const id = wordsOf(row, 'id')
    const of = (groups: ReadonlyMap<string, Row[]>) => groups.get(id) ?? []
    const cpu = numberOf(row, 'cpu')
    const egg = eggs.get(wordsOf(row, 'egg_id'))
    const mounted = of(mounts).length
    const server = {
      uuid: wordsOf(row, 'uuid'),
      name: wordsOf(row, 'name'),
      accountKey: accountKeys.get(wordsOf(row, 'owner_id')),
      memory: sizeOf(row, 'memory'),
      storage: sizeOf(row, 'disk'),
      cpu: cpu <= 0 ? null : cpu / 100,
      egg: egg === undefined ? '' : wordsOf(egg, 'name'),
      variables: readVariables(eggVariables.get(wordsOf(row, 'egg_id')) ?? [], of(ownVariables)),
      isSuspended: wordsOf(row, 'status') === 'suspended',
      addresses: readAddresses(of(allocations), wordsOf(row, 'allocation_id')),
      sharedWith: of(subusers).flatMap((subuser) => {
        const accountKey = accountKeys.get(wordsOf(subuser, 'user_id'))
        return accountKey === undefined
          ? []
          : [{ accountKey, permissions: readPermissions(textOf(subuser, 'permissions')) }]
      }),
      schedules: of(schedules).map((schedule) => readSchedule(schedule, tasks.get(wordsOf(schedule, 'id')) ?? [])),
      databases: of(databases).map((database) => wordsOf(database, 'database')),
      backups: readBackups(of(backups)),
      notes: mounted === 0 ? [] : [`${mounted} mounted folder${mounted === 1 ? '' : 's'} of its machine left out`],
    }
    // Backups come and go by themselves.
    const { backups: _, notes: __, ...lasting } = server
    return { key: server.uuid, row: lasting, ...server }
  })
}

function readVariables(known: readonly Row[], own: readonly Row[]): Record<string, string> {
  const values = new Map(own.map((row) => [wordsOf(row, 'variable_id'), textOf(row, 'variable_value')]))
  return Object.fromEntries(
    known.map((row) => [wordsOf(row, 'env_variable'), values.get(wordsOf(row, 'id')) ?? wordsOf(row, 'default_value')]),
  )
}

function readAddresses(rows: readonly Row[], primaryId: string): string[] {
  const primaryFirst = rows.toSorted(
    (one, other) => Number(wordsOf(other, 'id') === primaryId) - Number(wordsOf(one, 'id') === primaryId),
  )
  return primaryFirst.map((row) => `${wordsOf(row, 'ip_alias') || wordsOf(row, 'ip')}:${wordsOf(row, 'port')}`)
}

/** A list as JSON. */
function readPermissions(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

function readSchedule(row: Row, tasks: readonly Row[]): FoundSchedule {
  const part = (column: string) => wordsOf(row, column) || '*'
  const days = `${part('cron_day_of_month')} ${part('cron_month')} ${part('cron_day_of_week')}`
  return {
    name: wordsOf(row, 'name'),
    isActive: isSet(row, 'is_active'),
    onlyWhenOnline: isSet(row, 'only_when_online'),
    cron: `${part('cron_minute')} ${part('cron_hour')} ${days}`,
    tasks: tasks
      .toSorted((one, other) => numberOf(one, 'sequence_id') - numberOf(other, 'sequence_id'))
      .map((task) => ({
        action: wordsOf(task, 'action'),
        payload: wordsOf(task, 'payload'),
        waitSeconds: numberOf(task, 'time_offset'),
      })),
  }
}

function readBackups(rows: readonly Row[]): FoundServer['backups'] {
  return rows
    .filter((row) => textOf(row, 'completed_at') !== null && textOf(row, 'deleted_at') === null)
    .filter((row) => textOf(row, 'is_successful') === null || isSet(row, 'is_successful'))
    .toSorted((one, other) => (wordsOf(one, 'completed_at') < wordsOf(other, 'completed_at') ? 1 : -1))
    .map((row) => ({ uuid: wordsOf(row, 'uuid'), name: wordsOf(row, 'name'), bytes: numberOf(row, 'bytes') }))
}
