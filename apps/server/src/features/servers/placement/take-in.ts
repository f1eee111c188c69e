/**
 * Takes in what a supervisor tells: each event once, in one transaction with the place where reading goes on.
 */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { SupervisorEvent } from '@wakestone/protocol/supervisor'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { type NewNotification, notify } from '#src/features/ground/notifications/service.ts'
import { noteCrash, noteRanWell, reasonsOf } from '#src/features/servers/crashes/service.ts'
import { findServer, markUsed, requestReconcile } from '#src/features/servers/servers/service.ts'
import { notePlayerCame, notePlayerWent } from '#src/features/servers/players/service.ts'
import { isChangedByOperation, notePreparation } from '#src/features/servers/operations/service.ts'
import { runAfterLine } from '#src/features/servers/schedules/service.ts'
import { settleMoment } from './looks-repo.ts'
import * as observed from './observed-repo.ts'
import { markFailed, markPrepared } from './prepared.ts'

const installRetrySeconds = 30
/** An exit is told this soon after it. */
const exitIsNewMilliseconds = 3_000
const lastLogLines = 50

/** Events after which nothing has to be done about a server. */
const quietEvents = new Set<SupervisorEvent['type']>(['player_joined', 'player_left', 'face', 'door', 'line'])

type Deps = Pick<Context, 'db' | 'boss'>
type EventOf<Type extends SupervisorEvent['type']> = Extract<SupervisorEvent, { type: Type }>

/**
 * @param isOld the state that the event tells of is known to have passed; it still goes into the audit log
 * @returns false when there is no such server any more
 */
export function takeIn(
  { db, boss }: Deps,
  serverId: string,
  told: SupervisorEvent,
  { isOld }: { isOld: boolean },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const cursor = await observed.lockCursor(trx, serverId)
    if (cursor === undefined) return false
    if (told.seq <= cursor.supervisor_seq) return true
    const event = { ...told, at: await settleMoment(trx, serverId, told.at) }
    switch (event.type) {
      case 'phase':
        await takePhase(trx, serverId, event, cursor, { isOld, isOver: isEnd(told.at, event) })
        break
      case 'installed':
        await takeInstalled(trx, serverId, event, cursor)
        break
      case 'install_failed':
        await takeInstallFailed(trx, serverId, event)
        break
      case 'crashed':
        await takeCrash(trx, serverId, event)
        break
      case 'player_joined':
        if (!isOld) {
          await observed.addPlayer(trx, serverId, event.name)
          await markUsed(trx, serverId)
        }
        await observed.notePlayerJoined(trx, serverId, event)
        await notePlayerCame(trx, serverId, event)
        break
      case 'player_left':
        if (!isOld) await observed.removePlayer(trx, serverId, event.name)
        await observed.notePlayerLeft(trx, serverId, event)
        await notePlayerWent(trx, serverId, event)
        break
      case 'awake':
        if (!isOld) await observed.writeAwake(trx, serverId, event)
        break
      case 'line':
        await runAfterLine(trx, serverId, event)
        break
      case 'face':
      case 'door': {
        const { type, seq: _, at: __, ...value } = event
        await observed.writeDoor(trx, serverId, { [type]: value })
      }
    }
    await observed.setCursor(trx, serverId, event.seq)
    const isQuiet = quietEvents.has(event.type) || (event.type === 'awake' && cursor.phase !== 'running')
    if (!isQuiet) await requestReconcile(boss, trx, serverId)
    return true
  })
}

async function takePhase(
  trx: Transaction,
  serverId: string,
  event: EventOf<'phase'>,
  cursor: observed.Cursor,
  { isOld, isOver }: { isOld: boolean; isOver: boolean },
): Promise<void> {
  const { status } = event
  await noteRanWell(trx, serverId, event.at)
  if (!isOld) await observed.writeObserved(trx, serverId, status)
  if (status.phase !== 'running' && status.phase !== 'frozen') {
    await observed.notePlayEnded(trx, serverId, event.at)
    await notePlayerWent(trx, serverId, { name: null, at: event.at })
  }
  if (status.phase === 'running') {
    await markPrepared(trx, serverId)
    await observed.writeIsUp(trx, serverId)
    // A game that was frozen has not been started.
    if (event.from !== 'frozen') {
      if (event.from === 'starting' && status.launchedAt !== null)
        await observed.noteStart(trx, serverId, (Date.parse(event.at) - Date.parse(status.launchedAt)) / 1000)
      await recordServerEvent(trx, serverId, { action: 'GAME_STARTED' })
    }
  }
  if (!isOver) return
  await recordServerEvent(trx, serverId, {
    action: 'GAME_STOPPED',
    data: { code: status.lastExit?.code ?? null, signal: status.lastExit?.signal ?? null },
  })
  // It was last told to be up, and ended in order after that: somebody in the game stopped it.
  if (cursor.told === 'up' && event.seq > cursor.told_seq && cursor.want_running)
    await observed.writeStoppedInside(trx, serverId)
}

/** Whether a phase event tells of an end that somebody asked for, just now. After an installation nothing has ended. */
function isEnd(at: string, { from, status: { phase, lastExit } }: EventOf<'phase'>): boolean {
  return (
    phase === 'stopped' &&
    from !== 'installing' &&
    lastExit?.expected === true &&
    Math.abs(Date.parse(at) - Date.parse(lastExit.at)) < exitIsNewMilliseconds
  )
}

async function takeInstalled(
  trx: Transaction,
  serverId: string,
  event: EventOf<'installed'>,
  cursor: observed.Cursor,
): Promise<void> {
  // An operation that brings packages tells of them itself, with who has asked for it.
  if (!(await isChangedByOperation(trx, serverId))) {
    const server = await findServer(trx, serverId)
    await recordServerEvent(trx, serverId, {
      action: 'SERVER_INSTALL_PACKAGE',
      // What installs itself is the engine.
      data: { plan: event.planHash, engine: server?.engine, engine_version: server?.engine_version },
    })
  }
  await observed.clearFailure(trx, serverId)
  if (cursor.want_running) await notePreparation(trx, serverId, { phase: 'start', progress: 0.8, item: null })
  else await markPrepared(trx, serverId)
}

async function takeInstallFailed(trx: Transaction, serverId: string, event: EventOf<'install_failed'>): Promise<void> {
  await markFailed(trx, serverId, { error: 'game_setup_is_invalid', retryInSeconds: installRetrySeconds })
  // It goes back, and tells why.
  if (await isChangedByOperation(trx, serverId)) return
  await recordServerEvent(trx, serverId, {
    level: eventLevels.ERROR,
    action: 'SERVER_INSTALL_PACKAGE',
    success: false,
    data: { plan: event.planHash, package_name: event.packageName },
    error: { code: 'game_setup_is_invalid', fields: { reason: event.error } },
  })
  await tellOwner(trx, serverId, (server) => ({
    kind: 'PACKAGE_INSTALL_FAILED',
    fields: { server, package: event.packageName },
    dedupeKey: `install failed ${serverId} ${event.planHash}`, // the same plan is tried again and again
  }))
}

async function takeCrash(trx: Transaction, serverId: string, event: EventOf<'crashed'>): Promise<void> {
  const data = {
    crash_count: event.crashCount,
    code: event.exit.code,
    signal: event.exit.signal,
    crash_reasons: reasonsOf(event),
  }
  await recordServerEvent(trx, serverId, {
    level: eventLevels.ERROR,
    action: 'GAME_CRASHED',
    success: false,
    data: { ...data, last_logs: event.lastLines.slice(-lastLogLines) },
  })
  await noteCrash(trx, serverId, event)
  const [reason = 'unknown'] = event.reasons
  const dedupeKey = `crash ${serverId} ${event.seq}`
  const crash_count = event.crashCount
  await tellOwner(trx, serverId, (server) =>
    event.tooManyTimes
      ? { kind: 'SERVER_CRASHED_TOO_MANY_TIMES', fields: { server, crash_count }, dedupeKey }
      : reason === 'unknown'
        ? { kind: 'SERVER_CRASHED', fields: { server, crash_count }, dedupeKey }
        : { kind: 'RECOGNISED_CRASH', fields: { server, reason }, dedupeKey },
  )
  if (!event.tooManyTimes) return
  await observed.writeGivenUp(trx, serverId)
  // It was brought up, if not for long: a crash tells more than a preparation that goes on and on.
  await markPrepared(trx, serverId, { code: 'game_setup_is_invalid', fields: { reason: 'crashed' } })
  await recordServerEvent(trx, serverId, {
    level: eventLevels.CRITICAL,
    action: 'GAME_CRASHED_TOO_MANY_TIMES',
    success: false,
    data,
  })
}

/** What kinds about servers say, by the server's name. */
type Told = {
  [Kind in NotificationKind]: Pick<NewNotification<Kind>, 'kind' | 'fields' | 'dedupeKey'>
}['PACKAGE_INSTALL_FAILED' | 'SERVER_CRASHED' | 'SERVER_CRASHED_TOO_MANY_TIMES' | 'RECOGNISED_CRASH']

async function tellOwner(trx: Transaction, serverId: string, told: (server: string) => Told): Promise<void> {
  const { owner_id, name } = await observed.findOwner(trx, serverId)
  await notify(trx, { userId: owner_id, resource: { type: 'server', id: serverId }, ...told(name) })
}
