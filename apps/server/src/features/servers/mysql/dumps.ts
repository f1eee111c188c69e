/** The tables of a server's MySQL in its backups: written into its files before they are read, and read from them after. */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { MysqlWork } from '@wakestone/protocol/values'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import { needWorkload } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'fleet' | 'logger'>
export type DumpStep = {
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
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return true
  const error = await perform(step, 'dump', `${step.operationId}-${Date.now().toString(36)}`)
  if (error === null) return true
  step.deps.logger.warn({ serverId: step.serverId, error }, 'tables of MySQL could not be written for a backup')
  return false
}

/** Puts what a restore has brought in the place of all tables. Done again by whoever follows, with the same effect. */
export async function loadMysql(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const error = await perform(step, 'load', step.operationId)
  if (error !== null) throw new DomainError('mysql_refused', { reason: error })
}

/** Puts back what was there before that. */
export async function undoLoad(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const error = await perform(step, 'undo', step.operationId)
  if (error !== null) throw new Error(error)
}

/** Removes what those have left. It costs room only, so nobody waits for a supervisor that is away. */
export async function forgetDump(step: DumpStep): Promise<void> {
  if ((await repo.findMysql(step.deps.db, step.serverId)) === undefined) return
  const supervisor = await step.deps.fleet.find(step.serverId)
  await supervisor?.mysql.work('forget', step.operationId).catch((error: unknown) => {
    if (!(error instanceof SupervisorError)) throw error
  })
}

/** Has a piece of work done. @returns what has gone wrong; null where nothing has, or the supervisor has no MySQL */
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
      if (error.status === 404) return null
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
    if (Date.now() > deadline) throw new Error('no supervisor')
  }
}
