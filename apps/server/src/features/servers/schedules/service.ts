/** What servers do by themselves; `runner.ts` does it. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import { type Schedule, type scheduleBody, schedulesPerServer } from '@wakestone/contract/servers/schedules'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockServer } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'
import { nextRuns } from './times.ts'

export { hasRunUnderWay } from './repo.ts'
export { beginSchedules } from './runner.ts'
export { runAfterLine, tellWatchedLines } from './watched-lines.ts'

type Body = z.output<typeof scheduleBody>
type Named = { serverId: string; scheduleId: string }
const timesShown = 3
const runsShown = 5

const firstRun = ({ trigger, enabled }: Body) => {
  const [first = null] = nextRuns(trigger, new Date(), 1)
  return enabled ? first : null
}

export async function listSchedules({ db }: Pick<Context, 'db'>, serverId: string): Promise<Schedule[]> {
  const schedules = await repo.selectSchedules(db, serverId)
  const runs = await repo.selectRuns(
    db,
    schedules.map(({ id }) => id),
  )
  return schedules.map((schedule) => describe(schedule, runs))
}

/** @throws DomainError `too_many_schedules` */
export function createSchedule({ db }: Pick<Context, 'db'>, serverId: string, body: Body): Promise<Schedule> {
  return inTransaction(db, (trx) => addSchedule(trx, serverId, body))
}

/** The same in a transaction of the caller's. */
export async function addSchedule(trx: Transaction, serverId: string, body: Body): Promise<Schedule> {
  await lockServer(trx, serverId)
  if ((await repo.countSchedules(trx, serverId)) >= schedulesPerServer)
    throw new DomainError('too_many_schedules', { limit: schedulesPerServer })
  return describe(await repo.insertSchedule(trx, { serverId, body, nextRunAt: firstRun(body) }), [])
}

/** @throws DomainError `resource_not_found` */
export function changeSchedule({ db }: Pick<Context, 'db'>, named: Named, body: Body): Promise<Schedule> {
  const nextRunAt = firstRun(body)
  return inTransaction(db, async (trx) => {
    const row = await repo.updateSchedule(trx, { ...named, body, nextRunAt })
    if (row === undefined) throw new DomainError('resource_not_found')
    return describe(row, await repo.selectRuns(trx, [row.id]))
  })
}

/** @throws DomainError `resource_not_found` */
export async function deleteSchedule({ db }: Pick<Context, 'db'>, named: Named): Promise<void> {
  const isDeleted = await inTransaction(db, (trx) => repo.deleteSchedule(trx, named))
  if (!isDeleted) throw new DomainError('resource_not_found')
}

/** Has it run now. @throws DomainError `resource_not_found` */
export function runSchedule({ db }: Pick<Context, 'db'>, named: Named): Promise<Schedule> {
  return inTransaction(db, async (trx) => {
    const row = await repo.findSchedule(trx, named)
    if (row === undefined) throw new DomainError('resource_not_found')
    await repo.insertRun(trx, row, { cause: 'asked', conditions: [] })
    return describe(row, await repo.selectRuns(trx, [row.id]))
  })
}

function describe(row: repo.ScheduleRow, runs: repo.RunRow[]): Schedule {
  const trigger = row.trigger as Schedule['trigger']
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    trigger,
    conditions: row.conditions as Schedule['conditions'],
    steps: row.steps as Schedule['steps'],
    next_runs: row.enabled ? nextRuns(trigger, new Date(), timesShown).map((time) => time.toISOString()) : [],
    last_runs: runs
      .filter(({ schedule_id }) => schedule_id === row.id)
      .slice(0, runsShown)
      .map((run) => ({
        id: run.id,
        cause: run.cause,
        state: run.state as Schedule['last_runs'][number]['state'],
        started_at: run.started_at.toISOString(),
        ended_at: run.ended_at?.toISOString() ?? null,
        step: run.step,
        error: run.error,
      })),
  }
}
