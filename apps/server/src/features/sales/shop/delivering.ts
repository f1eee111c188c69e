/**
 * Sends the commands of orders. Each is leased, noted as sent before it is, typed, and confirmed by what the console
 * answers. Of a worker that died over one, the record of the console tells whether it was typed; where it does not, the
 * command is shown to the shop's owner and never sent again by itself.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fenceOf } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { SupervisorStream } from '#src/adapters/supervisor/stream.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { wakeServer } from '#src/features/servers/servers/service.ts'
import { hasAnswered, hasSpoken, judge, type Verdict } from './console-answer.ts'
import * as repo from './deliveries-repo.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'fleet' | 'settings' | 'logger'>

const leaseSeconds = 30
const historyMilliseconds = 1_500
/** For the game's first word, before the second line is typed: it is then surely of the command. */
const wordMilliseconds = 1_000
const answerMilliseconds = 8_000
/** For one more line of a game that does not name what it does not know. */
const quietMilliseconds = 700
/** Seconds before the second, third … try of what a game refused; then somebody has to look. */
const waits = [10, 60, 300, 1800, 7200]
const awaySeconds = 15
const downSeconds = 5
/** How long a console may be out of reach before its answer is given up. */
const lostMilliseconds = 24 * 3600_000
const wakeAgainSeconds = 60

/** Sends one command, or looks for what became of one. @returns false when there is none. */
export async function deliverNext(deps: Deps): Promise<boolean> {
  const { db } = deps
  const lost = await inTransaction(db, (trx) => repo.takeLost(trx, leaseSeconds))
  if (lost !== undefined) {
    await lookFor(deps, lost)
    return true
  }
  const row = await takeOne(db)
  if (row === undefined) return false
  await send(deps, row)
  return true
}

async function takeOne(db: Deps['db']): Promise<repo.DeliveryRow | undefined> {
  try {
    return await inTransaction(db, (trx) => repo.takeWaiting(trx, leaseSeconds))
  } catch (error) {
    // Another worker has begun on the same server at the same moment.
    if ((error as { code?: string }).code === '23505') return undefined
    throw error
  }
}

async function send(deps: Deps, row: repo.DeliveryRow): Promise<void> {
  const { db, fleet, logger } = deps
  const supervisor = await fleet.find(row.server_id)
  if (supervisor === undefined) return repo.endAttempt(db, row, { state: 'waiting', waitSeconds: downSeconds })
  const reading = await readConsole(supervisor).catch(() => undefined)
  if (reading === undefined) return repo.endAttempt(db, row, { state: 'waiting', waitSeconds: downSeconds })
  try {
    if (!(await repo.markSent(db, row, leaseSeconds))) return
    const asked = { ...row, fence: fenceOf(row.attempt_id!), sentAt: new Date() }
    try {
      await supervisor.command(row.command)
    } catch (error) {
      if (error instanceof SupervisorError && error.status === 409)
        return await repo.endAttempt(db, row, { state: 'waiting', problem: 'server_down', waitSeconds: downSeconds })
      logger.info({ error, delivery: row.id }, 'whether a command was typed has to be looked for')
      return
    }
    await until(wordMilliseconds, () => hasSpoken(reading.lines, row.command))
    // What goes wrong from here on is found out from the record, by whoever comes next.
    await supervisor.command(asked.fence)
    let verdict: Verdict | undefined
    await until(answerMilliseconds, () => {
      verdict = judge(reading.lines, asked, false)
      return verdict !== undefined || hasAnswered(reading.lines, asked.fence)
    })
    if (verdict === undefined && hasAnswered(reading.lines, asked.fence)) await delay(quietMilliseconds)
    await end(deps, row, verdict ?? judge(reading.lines, asked, true) ?? { kind: 'unclear', said: '' })
  } catch (error) {
    logger.info({ error, delivery: row.id }, 'what became of a command has to be looked for')
  } finally {
    reading.close()
  }
}

/** Of one that was sent by a worker that is gone. */
async function lookFor(deps: Deps, row: repo.DeliveryRow): Promise<void> {
  const { db, fleet } = deps
  const supervisor = await fleet.find(row.server_id)
  const reading = supervisor === undefined ? undefined : await readConsole(supervisor).catch(() => undefined)
  if (reading === undefined) {
    if (Date.now() - (row.sent_at?.getTime() ?? 0) > lostMilliseconds)
      await repo.endAttempt(db, row, { state: 'unclear', problem: 'unclear' })
    return
  }
  try {
    const asked = { ...row, fence: fenceOf(row.attempt_id!), sentAt: row.sent_at ?? new Date(0) }
    await end(deps, row, judge(reading.lines, asked, true) ?? { kind: 'unclear', said: '' })
  } finally {
    reading.close()
  }
}

function end({ db }: Deps, row: repo.DeliveryRow, verdict: Verdict): Promise<void> {
  switch (verdict.kind) {
    case 'confirmed':
      return repo.endAttempt(db, row, { state: 'confirmed', said: verdict.said })
    case 'not typed':
      return repo.endAttempt(db, row, { state: 'waiting' })
    case 'unclear':
      return repo.endAttempt(db, row, { state: 'unclear', problem: 'unclear', said: verdict.said })
    case 'refused': {
      const { because: problem, said } = verdict
      if (problem === 'player_away' && row.needs_player)
        return repo.endAttempt(db, row, { state: 'waiting', problem, said, waitSeconds: awaySeconds })
      const waitSeconds = waits[row.attempts]
      // Another answer than the owner expects may mean that it was done.
      return waitSeconds === undefined || problem === 'other_answer'
        ? repo.endAttempt(db, row, { state: problem === 'other_answer' ? 'unclear' : 'failed', problem, said })
        : repo.endAttempt(db, row, { state: 'waiting', problem, said, waitSeconds })
    }
  }
}

type Reading = { lines: ConsoleLine[]; close(): void }

/** Follows a console, from what is kept of it on. */
async function readConsole(supervisor: { openStream(after?: number): Promise<SupervisorStream> }): Promise<Reading> {
  const stream = await supervisor.openStream(0)
  const lines: ConsoleLine[] = []
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines)
  })
  await until(historyMilliseconds, () => lines.length > 0)
  return { lines, close: () => stream.close() }
}

async function until(milliseconds: number, isThere: () => boolean): Promise<void> {
  for (const deadline = Date.now() + milliseconds; !isThere() && Date.now() < deadline; await delay(20));
}

/** Wakes servers for whose commands somebody wants that. */
export async function wakeForDeliveries(deps: Deps): Promise<void> {
  for (const serverId of await repo.takeToWake(deps.db, wakeAgainSeconds))
    await wakeServer(deps, serverId, { because: 'schedule' }).catch(() => undefined) // stopped by its owner, or no place
}
