/** Runs schedules: each time once among all workers, each step at most once. */
import { DomainError } from '@wakestone/contract/errors'
import type { Schedule, ScheduleStep } from '@wakestone/contract/servers/schedules'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { hasOpenOfKind } from '#src/features/servers/operations/service.ts'
import { findServer, isLive } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'
import { hasCome, performStep, type StepDeps } from './steps.ts'
import { nextRuns } from './times.ts'

const sweepMilliseconds = 1_000
const stepsAtOnce = 4
/** A time that was missed by more, since nobody was at work, is left out. */
const missedMilliseconds = 10 * 60_000
/** How often a server that a step waits for is looked at, and how long it may take: a stop has its own time for saving. */
const lookMilliseconds = 1_000
const patienceMilliseconds = { up: 10 * 60_000, down: 4 * 60_000 }

type Deps = StepDeps & Pick<Context, 'logger'>

/** Begins the runs whose time has come. */
export async function beginDueRuns({ db }: Pick<Context, 'db'>, now = new Date()): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const schedule of await repo.lockDueSchedules(trx, now)) {
      const isMissed = now.getTime() - (schedule.next_run_at?.getTime() ?? 0) > missedMilliseconds
      const [next = null] = nextRuns(schedule.trigger as Schedule['trigger'], now, 1)
      await repo.writeNextRun(trx, schedule.id, next)
      if (!isMissed) await repo.insertRun(trx, schedule, { cause: 'time', conditions: schedule.conditions })
    }
  })
}

/** Does one step of one run that is due. @returns false when there is none. */
export async function performDueStep(deps: Deps, now = new Date()): Promise<boolean> {
  const { db, logger } = deps
  const run = await inTransaction(db, (trx) => repo.takeDueRun(trx, now))
  if (run === undefined) return false
  const steps = run.steps as ScheduleStep[]
  const step = steps[run.step]
  const end = (state: 'done' | 'failed' | 'skipped', error: string | null = null) =>
    repo.writeRunEnded(db, run.id, {
      state,
      error,
      // What waits is at a step that has begun.
      step: Math.min(steps.length, run.step + (state === 'failed' && run.waits_for === null ? 1 : 0)),
    })
  try {
    if (run.waits_for !== null) await lookAgain(deps, run)
    else if (run.step === 0 && run.waits_until === null && !(await meets(deps, run))) await end('skipped')
    else if (step === undefined) await end('done')
    else {
      const outcome = await performStep(deps, run.server_id, step)
      if ('once' in outcome) {
        // A server that falls asleep again and again is not waited for without end.
        const patience = patienceMilliseconds[outcome.once] + (outcome.warnedSeconds ?? 0) * 1000
        const until = run.waits_until ?? new Date(Date.now() + patience)
        await repo.writeRunWaiting(db, run.id, { ...outcome, until, at: new Date(Date.now() + lookMilliseconds) })
      } else if (run.step + 1 === steps.length)
        await repo.writeRunEnded(db, run.id, { state: 'done', error: null, step: steps.length })
      else await repo.writeRunDue(db, run.id, new Date(Date.now() + outcome.afterMilliseconds))
    }
  } catch (error) {
    if (!(error instanceof DomainError)) logger.info({ error, serverId: run.server_id }, 'a step of a schedule failed')
    await end('failed', error instanceof DomainError ? error.code : (error as Error).message.slice(0, 200))
  }
  return true
}

/** Goes on once the server is up or down, whichever the last step has wanted. @throws DomainError when it takes too long */
async function lookAgain({ db }: Deps, run: repo.DueRun): Promise<void> {
  const { id, waits_for, waits_until } = run
  const wanted = waits_for === 'down' ? 'down' : 'up'
  // While players are warned, nothing has changed yet. Read first, or a countdown that ends in between would be missed.
  const isWarned = await hasOpenOfKind(db, run.server_id, 'countdown')
  const server = await findServer(db, run.server_id)
  if (server === undefined) throw new DomainError('server_id_not_found')
  if (hasCome(server, wanted) && !isWarned) return repo.writeRunWaited(db, id)
  if (waits_until !== null && waits_until.getTime() < Date.now())
    throw new DomainError(wanted === 'up' ? 'server_did_not_start' : 'server_is_not_stopped')
  await repo.putOffRun(db, id, new Date(Date.now() + lookMilliseconds))
}

/** Whether all that was asked for is so. */
async function meets({ db }: Deps, { server_id, conditions }: repo.DueRun): Promise<boolean> {
  const server = await findServer(db, server_id)
  if (server === undefined) return false
  const holds: Record<string, boolean> = {
    running: server.phase === 'running',
    stopped: !isLive(server.phase),
    empty: server.players_online === 0,
    players: server.players_online > 0,
  }
  return conditions.every((condition) => holds[condition] === true)
}

export type ScheduleWork = { close(): Promise<void> }

export function beginSchedules(context: Deps): ScheduleWork {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  async function work() {
    while (!isClosed && (await performDueStep(context)));
  }
  async function sweep() {
    await beginDueRuns(context)
    await Promise.all(Array.from({ length: stepsAtOnce }, work))
  }
  let sweeping: Promise<void> = Promise.resolve()
  function sweepOnce() {
    sweeping = sweep()
      .catch((error: unknown) => context.logger.warn({ error }, 'schedules cannot be looked through'))
      .then(() => {
        if (!isClosed) timer = setTimeout(sweepOnce, sweepMilliseconds)
      })
  }
  sweepOnce()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
