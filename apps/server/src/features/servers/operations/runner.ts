/**
 * Does operations: phase after phase, each begun only when what the one before it has done is written. A worker may be
 * killed at any line; the next one begins at the same phase. What was cancelled or cannot be done goes back the same way.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { createLocks, type Locks } from '#src/db/locks.ts'
import { requestReconcile, writeAsleep, writeWoken } from '#src/features/servers/servers/service.ts'
import { work as workOn } from '#src/jobs/boss.ts'
import { traced } from '#src/tracing.ts'
import type { OperationDefinition, OperationDeps, Outcome, Step } from './define.ts'
import { runOperationJob } from './jobs.ts'
import * as repo from './repo.ts'
import type { OperationRow } from './repo.ts'

const sweepMilliseconds = 1_000
const upkeepMilliseconds = 10 * 60_000
/** Progress is written this often at most. */
const reportMilliseconds = 500
/** A phase that fails in a way that may pass is tried again so often; going back is tried for longer. */
const mostTries = 5
const mostTriesBack = 20
const longestPause = 30_000
/** Of a kind that this worker does not know: a newer one does. */
const unknownMilliseconds = 30_000

/** Another worker has it, or this one is to leave. */
class Left extends Error {}

type Options = {
  deps: OperationDeps
  kinds: readonly OperationDefinition[]
  locks: Locks
  /** How soon a cancelled phase learns of it. */
  lookMilliseconds?: number
  /** Before the first time that something is tried again. */
  pauseMilliseconds?: number
}

/** @returns what does one operation: until it is over, has to wait, or is left to another worker. */
export function createRunner({ deps, kinds, locks, lookMilliseconds = 400, pauseMilliseconds = 1_000 }: Options) {
  const { db, boss, logger } = deps

  async function run(operationId: string, signal: AbortSignal): Promise<void> {
    const release = await locks.tryHold(`operation ${operationId}`)
    if (release === undefined) return
    try {
      let row = await repo.takeOperation(db, operationId)
      const definition = kinds.find(({ kind }) => kind === row?.kind)
      if (row !== undefined && definition === undefined) return repo.writeRetry(db, row, unknownMilliseconds)
      if (row === undefined || definition === undefined) return
      const { id, server_id, kind, attempt, traceparent: parent } = row
      const attributes = { 'operation.id': id, 'server.id': server_id, 'operation.attempt': attempt }
      await traced(`operation ${kind}`, { parent, attributes }, async () => {
        while (row !== undefined && !signal.aborted)
          row = await (row.state === 'running' ? goOn : goBack)(definition, row, signal)
      })
    } catch (error) {
      if (!(error instanceof Left) && !signal.aborted) throw error
    } finally {
      await release()
    }
  }

  /** @returns the operation as it then stands; undefined when there is nothing to do for now. */
  async function goOn(definition: OperationDefinition, row: OperationRow, signal: AbortSignal) {
    const index = definition.phases.findIndex(({ name }) => name === row.phase)
    const phase = definition.phases[index]
    if (phase === undefined) return enter(definition, row, 0)
    try {
      await perform(definition, row, signal, (step) => phase.run(step))
    } catch (error) {
      if (signal.aborted || error instanceof Left) throw error
      const present = await repo.findMarked(db, row)
      if (present?.state !== 'running') return present // cancelled, or taken over
      if (!(error instanceof DomainError)) {
        logger.warn({ error, operation: row.id, kind: row.kind, phase: row.phase }, 'a phase of an operation failed')
        if (present.tries < mostTries) return retryLater(present)
      }
      return turnBack(row, error)
    }
    const next = index + 1
    return next < definition.phases.length ? enter(definition, row, next) : end(definition, row, 'done')
  }

  async function goBack(definition: OperationDefinition, row: OperationRow, signal: AbortSignal) {
    if (definition.isSettled(row.notes as object)) return end(definition, row, 'failed')
    const index = definition.phases.findIndex(({ name }) => name === row.phase)
    const undo = definition.phases[index]?.undo
    try {
      if (undo !== undefined) await perform(definition, row, signal, undo)
    } catch (error) {
      if (signal.aborted || error instanceof Left) throw error
      logger.warn({ error, operation: row.id, kind: row.kind, phase: row.phase }, 'an operation cannot go back yet')
      const present = await repo.findMarked(db, row)
      if (present === undefined) return undefined
      return present.tries < mostTriesBack ? retryLater(present) : end(definition, row, 'failed')
    }
    if (index > 0) return enter(definition, row, index - 1)
    return end(definition, row, row.error === null ? 'cancelled' : 'rolled_back')
  }

  async function retryLater(row: OperationRow): Promise<undefined> {
    await repo.writeRetry(db, row, Math.min(longestPause, pauseMilliseconds * 2 ** row.tries))
  }

  function turnBack(row: OperationRow, error: unknown) {
    const causes = [error, error instanceof Error ? error.cause : undefined]
    const { code, fields } =
      causes.find((cause) => cause instanceof DomainError) ?? new DomainError('service_unavailable')
    return inTransaction(db, async (trx) => {
      if ((await repo.lockMarked(trx, row)) === undefined) return undefined
      await repo.writeGoingBack(trx, row.id, { code, ...(fields !== undefined && { fields }) })
      return repo.findMarked(trx, row)
    })
  }

  /**
   * Has the game down, or lets it come back: awake, also where it slept before, unless its kind lets it sleep on. What runs
   * beside others leaves it to them.
   */
  async function hold(
    { exclusive, sleepsOn }: OperationDefinition,
    trx: Transaction,
    { server_id: serverId, notes }: Pick<OperationRow, 'server_id' | 'notes'>,
    wanted: 'down' | null,
  ): Promise<void> {
    if (!exclusive || !(await repo.writeHold(trx, serverId, wanted))) return
    const sleep = sleepsOn(notes as object)
    if (wanted === null) await (sleep === null ? writeWoken(trx, serverId) : writeAsleep(trx, serverId, sleep))
    await requestReconcile(boss, trx, serverId)
  }

  /** Goes to another phase, onwards or back, unless it was cancelled meanwhile. */
  function enter(definition: OperationDefinition, row: OperationRow, index: number) {
    const phase = definition.phases[index]
    if (phase === undefined) throw new Error(`no phase ${index} of ${row.kind}`)
    return inTransaction(db, async (trx) => {
      const locked = await repo.lockMarked(trx, row)
      if (locked === undefined || locked.state !== row.state) return locked
      await repo.writePhase(trx, row.id, { phase: phase.name, progress: shareBefore(definition, index) })
      await hold(definition, trx, locked, phase.needsDown === true ? 'down' : null)
      return repo.findMarked(trx, row)
    })
  }

  function end(definition: OperationDefinition, row: OperationRow, outcome: Outcome) {
    return inTransaction(db, async (trx) => {
      const locked = await repo.lockMarked(trx, row)
      if (locked === undefined || locked.state !== row.state) return locked
      await repo.writeEnded(trx, row.id, { state: outcome, progress: outcome === 'done' ? 1 : locked.progress })
      await hold(definition, trx, locked, null)
      const ended = {
        operationId: row.id,
        serverId: row.server_id,
        userId: row.user_id,
        input: row.input,
        notes: locked.notes as object,
        outcome,
        error: locked.error as repo.OperationError | null,
      }
      await definition.ended(trx, ended, deps)
      await requestReconcile(boss, trx, row.server_id)
      return undefined
    })
  }

  /** Has one phase run or taken back, and looks meanwhile whether that is still wanted. */
  async function perform(
    definition: OperationDefinition,
    row: OperationRow,
    leaving: AbortSignal,
    act: (step: Step<unknown, unknown>) => Promise<void>,
  ): Promise<void> {
    const ending = new AbortController()
    const signal = AbortSignal.any([leaving, ending.signal])
    const looking = setInterval(() => {
      void repo.findMarked(db, row).then(
        (present) => present?.state !== row.state && ending.abort(new Left()),
        () => undefined, // the database is away: looked at again
      )
    }, lookMilliseconds)
    const reports = createReports(definition, row)
    try {
      const name = row.state === 'running' ? `phase ${row.phase}` : `undo ${row.phase}`
      await traced(name, {}, () => act(createStep(row, signal, reports.report)))
    } catch (error) {
      const isCancelled = ending.signal.aborted && !leaving.aborted && row.state === 'running'
      throw isCancelled ? new Error('cancelled', { cause: error }) : error
    } finally {
      clearInterval(looking)
      await reports.close()
    }
  }

  function createStep(
    row: OperationRow,
    signal: AbortSignal,
    report: Step<unknown, unknown>['report'],
  ): Step<unknown, unknown> {
    const write: Step<unknown, unknown>['write'] = (work) =>
      inTransaction(db, async (trx) => {
        if ((await repo.lockMarked(trx, row)) === undefined) throw new Left()
        return work(trx)
      })
    const step = {
      operationId: row.id,
      serverId: row.server_id,
      input: row.input,
      notes: row.notes as object,
      since: row.phase_since ?? row.created_at,
      signal,
      deps,
      write,
      async note(notes: object) {
        await write((trx) => repo.writeNotes(trx, row.id, notes))
        Object.assign(step.notes, notes)
      },
      report,
      pause: (milliseconds: number) => delay(milliseconds, undefined, { signal }),
    }
    return step
  }

  /** Writes how far a phase has come: the newest, now and then. */
  function createReports(definition: OperationDefinition, row: OperationRow) {
    const index = definition.phases.findIndex(({ name }) => name === row.phase)
    const from = shareBefore(definition, index)
    const share = shareBefore(definition, index + 1) - from
    let next: repo.Progress | undefined
    let timer: NodeJS.Timeout | undefined
    let writing: Promise<void> = Promise.resolve()
    let shown = ''
    function write() {
      timer = undefined
      const text = JSON.stringify(next)
      if (next === undefined || text === shown) return
      shown = text
      writing = repo.writeProgress(db, row, next).catch(() => undefined) // told again with the next
    }
    return {
      report(done: number, item: string | null = null, figures: repo.Progress['figures'] = null) {
        const progress = Math.round((from + share * Math.min(1, Math.max(0, done))) * 1000) / 1000
        next = { progress, item, figures }
        timer ??= setTimeout(write, shown === '' ? 0 : reportMilliseconds)
      },
      async close() {
        clearTimeout(timer)
        await writing
      },
    }
  }

  return { run }
}

/** What of the whole lies before a phase, by weights. */
function shareBefore({ phases }: OperationDefinition, index: number): number {
  const sum = (some: OperationDefinition['phases']) => some.reduce((total, { weight }) => total + weight, 0)
  return Math.round((sum(phases.slice(0, index)) / sum(phases)) * 1000) / 1000
}

export type OperationWork = {
  /** Leaves what is under way to other workers, or to this one's next start. */
  close(): Promise<void>
}

/** Has this worker do operations: those it is told of, and those that slipped through. */
export async function beginOperations(
  context: Context,
  kinds: readonly OperationDefinition[],
  /** Done now and then: what operations have left behind. */
  upkeep: () => Promise<void> = async () => {},
): Promise<OperationWork> {
  const { db, logger } = context
  const locks = createLocks({ url: context.databaseUrl, logger })
  const { run } = createRunner({ deps: context, kinds, locks })
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  let isClosed = false

  function engage(operationId: string) {
    if (isClosed || running.has(operationId)) return
    const abort = new AbortController()
    const ended = run(operationId, abort.signal)
      .catch((error: unknown) => logger.warn({ error, operation: operationId }, 'an operation cannot go on yet'))
      .then(() => void running.delete(operationId))
    running.set(operationId, { abort, ended })
  }
  locks.onLost(() => {
    for (const { abort } of running.values()) abort.abort(new Left())
  })
  await workOn(context, runOperationJob, async ({ operationId }) => engage(operationId))

  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  function sweep() {
    sweeping = repo
      .selectDueOperations(db)
      .then((due) => due.forEach(({ id }) => engage(id)))
      .catch((error: unknown) => logger.warn({ error }, 'operations cannot be looked through'))
      .then(() => {
        if (!isClosed) timer = setTimeout(sweep, sweepMilliseconds)
      })
  }
  sweep()
  let clearing: Promise<void> = Promise.resolve()
  const clear = setInterval(() => {
    clearing = Promise.all([upkeep(), repo.endVainPreparations(db)]).then(
      () => undefined,
      (error: unknown) => logger.warn({ error }, 'operations cannot be cleared up after'),
    )
  }, upkeepMilliseconds)

  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(clear)
      await Promise.all([sweeping, clearing])
      const all = [...running.values()]
      for (const { abort } of all) abort.abort(new Left())
      await Promise.all(all.map(({ ended }) => ended))
      await locks.close()
    },
  }
}
