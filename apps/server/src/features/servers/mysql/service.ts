/** MySQL of a server, for those whose plan has it. It lies with the server; here is known only that there is one. */
import { createHash, randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import type { Mysql, mysqlPasswordSchema, MysqlRows, MysqlTables } from '@wakestone/contract/servers/mysql'
import { mysqlName, mysqlPort } from '@wakestone/protocol/values'
import type { z } from 'zod'
import type { MysqlClient } from '#src/adapters/supervisor/mysql.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { requireFreeFiles } from '#src/features/servers/operations/service.ts'
import {
  hasOwnNetwork,
  isDisabled,
  isExpired,
  requirePaid,
  needWorkload,
  type ServerRow,
} from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

export { dumpMysql, forgetDump, loadMysql, rebuildMysql, undoLoad } from './dumps.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'settings'>
/** On which server, and who does it. */
type On = { server: ServerRow; userId: string }

/** A supervisor without a game stays so long after its MySQL was asked for. */
const workloadSeconds = 120
const patienceMilliseconds = 30_000
const place = { host: '127.0.0.1', port: mysqlPort, database: mysqlName, username: mysqlName }

const limitOf = ({ limits }: Pick<ServerRow, 'limits'>) => (limits as Product['parameters']).mysql ?? 0

/** Whether it has tables that nobody can read now: its plan has no MySQL any more, or has run out. */
export const hasLockedTables = async (db: Handle, server: ServerRow): Promise<boolean> =>
  (limitOf(server) === 0 || isExpired(server)) && (await repo.findMysql(db, server.id)) !== undefined

export async function describeMysql(db: Handle, server: ServerRow): Promise<Mysql> {
  const row = await repo.findMysql(db, server.id)
  return {
    created_at: row?.created_at.toISOString() ?? null,
    password_created_at: row?.password_created_at.toISOString() ?? null,
    limit: limitOf(server),
    ...place,
  }
}

/** @throws DomainError where there can be none, or nobody may touch it now */
async function requireMysql(db: Handle, server: ServerRow): Promise<void> {
  if (limitOf(server) === 0) throw new DomainError('mysql_not_in_plan', { resource: 'server' })
  if (server.files_deleted_at !== null || server.volume_removed_at !== null)
    throw new DomainError('server_has_no_files', { resource: 'server' })
  if (server.prepared_at === null) throw new DomainError('server_is_preparing', { resource: 'server' })
  requirePaid(server)
  if (isDisabled(server)) throw new DomainError('server_is_disabled', { resource: 'server' })
  // Without walls around its network others would reach it.
  if (server.game_host !== null && !hasOwnNetwork(server))
    throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
  // It was placed when its plan had none: that comes with its next start.
  if (server.placed_at !== null && !((server.placed_limits as Product['parameters'] | null)?.mysql ?? 0))
    throw new DomainError('server_is_not_stopped', { resource: 'server' })
  await requireFreeFiles(db, server.id)
}

async function requireMade(db: Handle, server: ServerRow): Promise<void> {
  await requireMysql(db, server)
  if ((await repo.findMysql(db, server.id)) === undefined) throw new DomainError('resource_not_found')
}

/** Brings the supervisor up where there is none. */
async function reach({ db, fleet }: Pick<Deps, 'db' | 'fleet'>, serverId: string): Promise<MysqlClient> {
  await needWorkload(db, serverId, workloadSeconds)
  for (const deadline = Date.now() + patienceMilliseconds; Date.now() < deadline; await delay(200)) {
    const mysql = (await fleet.find(serverId))?.mysql
    if (mysql !== undefined && (await answers(mysql))) return mysql
  }
  throw new DomainError('server_has_not_pod', { resource: 'server' })
}

/** One that has just been placed does not listen yet. */
async function answers(mysql: MysqlClient): Promise<boolean> {
  try {
    await mysql.status()
    return true
  } catch (error) {
    if (error instanceof SupervisorError && error.fault === 'unreached') return false
    return explain(error)
  }
}

/** As MySQL stores passwords: the password itself never comes near the server. */
function hashPassword(password: string): string {
  const once = createHash('sha1').update(password).digest()
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`
}
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 28 characters of 31, 138 bits: the hash is a weak one. */
const makePassword = () => Array.from({ length: 28 }, () => letters.charAt(randomInt(letters.length))).join('')

/** Makes MySQL where there is none. @returns the one answer that holds the password */
export async function renewPassword(deps: Deps, { server, userId }: On): Promise<z.input<typeof mysqlPasswordSchema>> {
  await requireMysql(deps.db, server)
  await requireWithinLimit(deps, 'power', { userId })
  const password = makePassword()
  const hash = hashPassword(password)
  await (await reach(deps, server.id)).setPassword(hash).catch(explain)
  const { password_created_at: at } = await inTransaction(deps.db, async (trx) => {
    await recordServerEvent(trx, server.id, { action: 'SERVER_MYSQL_PASSWORD', data: { executor: userId } })
    return repo.writePassword(trx, server.id, { hash, at: new Date() })
  })
  return { ...place, password, created_at: at.toISOString() }
}

export async function removeMysql(deps: Deps, { server, userId }: On): Promise<void> {
  await requireMysql(deps.db, server)
  await (await reach(deps, server.id)).remove().catch(explain)
  await inTransaction(deps.db, async (trx) => {
    if (await repo.deleteMysql(trx, server.id))
      await recordServerEvent(trx, server.id, { action: 'SERVER_MYSQL_DELETE', data: { executor: userId } })
  })
}

export async function listTables(deps: Deps, server: ServerRow): Promise<MysqlTables> {
  await requireMade(deps.db, server)
  const { tables, bytes, isFull } = await (await reach(deps, server.id)).tables().catch(explain)
  return {
    tables: tables.map(({ isView, ...table }) => ({ ...table, is_view: isView })),
    bytes,
    limit: limitOf(server),
    is_full: isFull,
  }
}

export async function listRows(
  deps: Deps,
  server: ServerRow,
  wanted: { table: string; offset: number },
): Promise<MysqlRows> {
  await requireMade(deps.db, server)
  const { columns, rows, hasMore } = await (await reach(deps, server.id)).rows(wanted).catch(explain)
  return {
    columns: columns.map(({ isKey, ...column }) => ({ ...column, is_key: isKey })),
    rows,
    next_offset: hasMore ? wanted.offset + rows.length : null,
  }
}

/** All tables as statements, to be read as they come; broken off where something goes wrong. */
export async function exportTables(deps: Deps, { server, userId }: On, signal: AbortSignal): Promise<IncomingMessage> {
  await requireMade(deps.db, server)
  const content = await (await reach(deps, server.id)).dump(signal).catch(explain)
  await inTransaction(deps.db, (trx) =>
    recordServerEvent(trx, server.id, { action: 'SERVER_MYSQL_EXPORT', data: { executor: userId } }),
  )
  return content
}

/** @throws DomainError `mysql_refused` with what MariaDB says; what came before stays done */
export async function importStatements(
  deps: Deps,
  { server, userId }: On,
  { source, bytes, signal }: { source: Readable; bytes: number; signal: AbortSignal },
): Promise<void> {
  await requireMade(deps.db, server)
  const mysql = await reach(deps, server.id)
  const tell = (success: boolean) =>
    inTransaction(deps.db, (trx) =>
      recordServerEvent(trx, server.id, {
        action: 'SERVER_MYSQL_IMPORT',
        success,
        data: { executor: userId, size: bytes },
      }),
    )
  const renewing = setInterval(
    () => {
      needWorkload(deps.db, server.id, workloadSeconds).catch(() => undefined) // the database is away: tried again
    },
    (workloadSeconds * 1000) / 3,
  )
  try {
    await mysql.load(source, signal)
  } catch (error) {
    await tell(false)
    explain(error)
  } finally {
    clearInterval(renewing)
  }
  await tell(true)
}

function explain(error: unknown): never {
  if (!(error instanceof SupervisorError)) throw error
  // A supervisor that has none: its machine lacks the walls for it, or MariaDB.
  if (error.status === 404) throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
  if (error.status === 409) throw new DomainError('resource_not_found')
  if (error.status === 422) throw new DomainError('mysql_refused', { reason: error.message })
  throw new DomainError('service_unavailable')
}
