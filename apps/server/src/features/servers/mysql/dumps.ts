/** The tables of a server's MySQL in its backups: written into its files before they are read, and read from them after. */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import type { MysqlWork } from '@wakestone/protocol/values'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import { findServer, needWorkload } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'logger'>
type DumpStep = {
  deps: Deps
  serverId: string
  operationId: string
  signal: AbortSignal
}

const lookMilliseconds = 300
const workloadSeconds = 60
/** As long as a supervisor may be away: it is placed, or comes back. */
const supervisorMilliseconds = 60_000

/**
 * Writes all tables, as they are at one moment, to where backups find them.
 * @returns false where there is MySQL and its tables could not be written
 */
export async function dumpMysql(step: DumpStep): Promise<boolean> {
  const { db } = step.deps
  const server = await findServer(db, step.serverId)
  // Without it in the plan what is there sleeps: nothing is written to it either.
  if (((server?.limits as Product['parameters'] | undefined)?.mysql ?? 0) === 0) return true
  if ((await repo.findMysql(db, step.serverId)) === undefined) return true
  const id = `${step.operationId}-${Date.now().toString(36)}`
  const error = await perform(step, 'dump', id).catch((fault: unknown) => {
    // One that cannot be placed is backed up all the same, without its tables.
    if (step.signal.aborted || !(fault instanceof NoSupervisor)) throw fault
    return fault.message
  })
  if (error === null) return true
  step.deps.logger.warn({ serverId: step.serverId, error }, 'tables of MySQL could not be written for a backup')
  return false
}

/** Puts what a restore has brought in the place of all tables. Done again by whoever follows, with the same effect. */
export async function loadMysql(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const error = await perform(step, 'load', step.operationId)
  if (error === noMysql) return
  if (error !== null) throw new DomainError('mysql_refused', { reason: error })
}

/** Puts back what was there before that. */
export async function undoLoad(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const error = await perform(step, 'undo', step.operationId)
  if (error !== null && error !== noMysql) throw new Error(error)
}

/** Removes what those have left. It costs room only, so nobody waits for a supervisor that is away. */
export async function forgetDump(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const supervisor = await step.deps.fleet.find(step.serverId)
  await supervisor?.mysql.work('forget', step.operationId).catch((error: unknown) => {
    if (!(error instanceof SupervisorError)) throw error
  })
}

/**
 * Makes MySQL where a server has come to, with the password that it had, and puts the tables in it that have come along.
 * @throws DomainError where there can be none
 */
export async function rebuildMysql(step: DumpStep): Promise<void> {
  const { deps, serverId, signal } = step
  const row = await repo.findMysql(deps.db, serverId)
  if (row === undefined) return
  for (;;) {
    signal.throwIfAborted()
    await needWorkload(deps.db, serverId, workloadSeconds)
    try {
      await (await findSupervisor(step)).mysql.setPassword(row.password_hash ?? nobodysHash)
      break
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      if (error.status === 404) throw new DomainError('cluster_does_not_support_module', { resource: 'cluster' })
      if (error.fault !== 'unreached') throw error
    }
    await delay(lookMilliseconds, undefined, { signal })
  }
  await loadMysql(step)
}

/** Of a password that nobody has: its owner makes a new one. */
const nobodysHash = `*${'0'.repeat(40)}`

const noMysql = 'the supervisor has no MySQL'
class NoSupervisor extends Error {}

/** Has a piece of work done. @returns what has gone wrong; null where nothing has */
async function perform(step: DumpStep, kind: MysqlWork, id: string): Promise<string | null> {
  const { signal } = step
  for (;;) {
    signal.throwIfAborted()
    await needWorkload(step.deps.db, step.serverId, workloadSeconds)
    const { mysql } = await findSupervisor(step)
    try {
      const { lastWork, work } = await mysql.work(kind, id)
      if (work === null && lastWork?.kind === kind && lastWork.id === id) return lastWork.error
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      if (error.status === 404) return noMysql
      // Other work is under way, or it is away for a moment.
      if (error.fault === 'unreadable') throw error
    }
    await delay(lookMilliseconds, undefined, { signal })
  }
}

async function findSupervisor({ deps, serverId, signal }: DumpStep): Promise<SupervisorClient> {
  for (const deadline = Date.now() + supervisorMilliseconds; ; await delay(lookMilliseconds, undefined, { signal })) {
    const supervisor = await deps.fleet.find(serverId)
    if (supervisor !== undefined) return supervisor
    if (Date.now() > deadline) throw new NoSupervisor('no supervisor')
  }
}
