import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { scheduleBody } from '@wakestone/contract/servers/schedules'
import { watchedLineSeconds } from '@wakestone/protocol/values'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ScheduleRuns, Schedules } from '#src/db/types.gen.ts'

export type ScheduleRow = Selectable<Schedules>
export type RunRow = Selectable<ScheduleRuns>
type Body = z.output<typeof scheduleBody>

/** So many runs of each are kept. */
const runsKept = 10

const columnsOf = ({ name, enabled, trigger, conditions, steps }: Body, nextRunAt: Date | null) => ({
  name,
  enabled,
  trigger: JSON.stringify(trigger),
  conditions,
  steps: JSON.stringify(steps),
  next_run_at: nextRunAt,
})

export async function countSchedules(trx: Transaction, serverId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('schedules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return count
}

export function insertSchedule(
  trx: Transaction,
  { serverId, body, nextRunAt }: { serverId: string; body: Body; nextRunAt: Date | null },
): Promise<ScheduleRow> {
  return trx
    .insertInto('schedules')
    .values({ server_id: serverId, ...columnsOf(body, nextRunAt) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Named = { serverId: string; scheduleId: string }

export function updateSchedule(
  trx: Transaction,
  { serverId, scheduleId, body, nextRunAt }: Named & { body: Body; nextRunAt: Date | null },
): Promise<ScheduleRow | undefined> {
  return trx
    .updateTable('schedules')
    .set(columnsOf(body, nextRunAt))
    .where('id', '=', scheduleId)
    .where('server_id', '=', serverId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSchedule(trx: Transaction, { serverId, scheduleId }: Named): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('schedules')
    .where('id', '=', scheduleId)
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findSchedule(db: Handle, { serverId, scheduleId }: Named): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('schedules')
    .selectAll()
    .where('id', '=', scheduleId)
    .where('server_id', '=', serverId)
    .executeTakeFirst()
}

export function selectSchedules(db: Handle, serverId: string): Promise<ScheduleRow[]> {
  return db.selectFrom('schedules').selectAll().where('server_id', '=', serverId).orderBy('id').execute()
}

/** The last ones of each schedule, newest first. */
export function selectRuns(db: Handle, scheduleIds: string[]): Promise<RunRow[]> {
  if (scheduleIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', 'in', scheduleIds)
    .orderBy('id', 'desc')
    .execute()
}

/** Those whose time has come; no other worker takes them until the transaction ends. */
export async function lockDueSchedules(trx: Transaction, now: Date): Promise<ScheduleRow[]> {
  return trx
    .selectFrom('schedules')
    .innerJoin('servers', 'servers.id', 'schedules.server_id')
    .selectAll('schedules')
    .where('servers.deleted_at', 'is', null)
    .where('schedules.enabled', '=', true)
    .where('schedules.next_run_at', '<=', now)
    .orderBy('schedules.next_run_at')
    .limit(100)
    .forUpdate('schedules')
    .skipLocked()
    .execute()
}

export async function writeNextRun(trx: Transaction, scheduleId: string, at: Date | null): Promise<void> {
  await trx.updateTable('schedules').set({ next_run_at: at }).where('id', '=', scheduleId).execute()
}

/** @param conditions none for one that somebody asked for */
export async function insertRun(
  trx: Transaction,
  { id, steps }: ScheduleRow,
  { cause, conditions }: { cause: string; conditions: string[] },
): Promise<void> {
  await trx
    .insertInto('schedule_runs')
    .values({ schedule_id: id, cause, conditions, steps: JSON.stringify(steps) })
    .execute()
  await dropOldRuns(trx, id)
}

async function dropOldRuns(trx: Transaction, id: string): Promise<void> {
  await sql`delete from schedule_runs where schedule_id = ${id} and state <> 'running' and id not in
    (select id from schedule_runs where schedule_id = ${id} order by id desc limit ${runsKept})`.execute(trx)
}

/** Of the schedules that are enabled, in a fixed order. */
export async function selectWatchedLines(
  db: Handle,
  serverId: string,
): Promise<{ id: string; text: string; chat: boolean }[]> {
  return db
    .selectFrom('schedules')
    .select([
      'id',
      sql<string>`trigger ->> 'text'`.as('text'),
      sql<boolean>`coalesce((trigger ->> 'chat')::boolean, false)`.as('chat'),
    ])
    .where('server_id', '=', serverId)
    .where('enabled', '=', true)
    .where(sql`trigger ->> 'kind'`, '=', 'line')
    .orderBy('id')
    .execute()
}

/** At most once in a minute, whatever its supervisor says. */
export async function insertRunAfterLine(trx: Transaction, { serverId, scheduleId }: Named): Promise<void> {
  await sql`insert into schedule_runs (schedule_id, cause, conditions, steps)
    select id, 'line', conditions, steps from schedules
    where id = ${scheduleId} and server_id = ${serverId} and enabled and trigger ->> 'kind' = 'line'
      and not exists (select from schedule_runs run where run.schedule_id = schedules.id and run.cause = 'line'
        and run.started_at > now() - ${watchedLineSeconds} * interval '1 second')`.execute(trx)
  await dropOldRuns(trx, scheduleId)
}

export type DueRun = RunRow & { server_id: string }

/**
 * Takes a run that is due: its next step counts as begun from now on, so that none is ever begun twice. One that waits for
 * its server stays at the step that it has begun.
 * @returns it as it was before.
 */
export async function takeDueRun(trx: Transaction, now: Date): Promise<DueRun | undefined> {
  const run = await trx
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .selectAll('schedule_runs')
    .select('schedules.server_id')
    .where('state', '=', 'running')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .forUpdate('schedule_runs')
    .skipLocked()
    .executeTakeFirst()
  if (run === undefined) return undefined
  // Should this worker die, the run goes on with the step after that.
  await trx
    .updateTable('schedule_runs')
    .set({ step: run.waits_for === null ? run.step + 1 : run.step, due_at: new Date(now.getTime() + 60_000) })
    .where('id', '=', run.id)
    .execute()
  return run
}

/** It goes on with the next step from then on. */
export async function writeRunDue(db: Handle, runId: string, at: Date): Promise<void> {
  await db.updateTable('schedule_runs').set({ due_at: at, waits_until: null }).where('id', '=', runId).execute()
}

export async function putOffRun(db: Handle, runId: string, at: Date): Promise<void> {
  await db.updateTable('schedule_runs').set({ due_at: at }).where('id', '=', runId).execute()
}

/** It goes on once its server is up or down, and is looked at for that from a time on. */
export async function writeRunWaiting(
  db: Handle,
  runId: string,
  { once, repeats, until, at }: { once: 'up' | 'down'; repeats: boolean; until: Date; at: Date },
): Promise<void> {
  await db
    .updateTable('schedule_runs')
    .set({ waits_for: once, waits_until: until, repeats, due_at: at })
    .where('id', '=', runId)
    .execute()
}

/** What it has waited for is there: it goes on at once, with the same step where that was not done yet. */
export async function writeRunWaited(db: Handle, runId: string): Promise<void> {
  await sql`update schedule_runs set waits_for = null, waits_until = case when repeats then waits_until end,
      step = case when repeats then step - 1 else step end, repeats = false, due_at = now()
    where id = ${runId}`.execute(db)
}

/** Whether something that a server does by itself is under way. */
export async function hasRunUnderWay(db: Handle, serverId: string): Promise<boolean> {
  const run = await db
    .selectFrom('schedule_runs')
    .innerJoin('schedules', 'schedules.id', 'schedule_runs.schedule_id')
    .select('schedule_runs.id')
    .where('schedules.server_id', '=', serverId)
    .where('schedule_runs.state', '=', 'running')
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}

export async function writeRunEnded(
  db: Handle,
  runId: string,
  { state, error, step }: { state: 'done' | 'failed' | 'skipped'; error: string | null; step: number },
): Promise<void> {
  await db
    .updateTable('schedule_runs')
    .set({ state, error, step, ended_at: new Date() })
    .where('id', '=', runId)
    .execute()
}
