/** The steps of schedules. */
import { DomainError } from '@wakestone/contract/errors'
import type { ScheduleStep } from '@wakestone/contract/servers/schedules'
import { postOutside } from '#src/adapters/outbound/post.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { createBackup } from '#src/features/servers/backups/service.ts'
import { endGame } from '#src/features/servers/countdown/service.ts'
import {
  describeStatus,
  findServer,
  isLive,
  isSleeping,
  restartServer,
  type ServerRow,
  shouldRun,
  startServer,
  stopServer,
  wakeServer,
} from '#src/features/servers/servers/service.ts'

export type StepDeps = Pick<Context, 'db' | 'boss' | 'fleet' | 'settings'>

/** When the run goes on: after so many milliseconds, or once the server is up or down. */
export type StepOutcome =
  | { afterMilliseconds: number }
  /** `repeats`: with the same step, which has not been done yet. */
  | {
      once: 'up' | 'down'
      repeats: boolean
      /** How long its players are warned before. */
      warnedSeconds?: number
    }

const atOnce: StepOutcome = { afterMilliseconds: 0 }
const onceUp: StepOutcome = { once: 'up', repeats: true }

const stopSeconds = 120
/** The game is as it should be already. */
const wantedAlready = new Set(['server_is_running', 'game_process_already_started', 'server_is_not_running'])

/** @throws DomainError, or any Error, when it could not be done. */
export async function performStep(deps: StepDeps, serverId: string, step: ScheduleStep): Promise<StepOutcome> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found')
  switch (step.kind) {
    case 'wait':
      return { afterMilliseconds: step.seconds * 1000 }
    case 'power':
      return power(deps, server, step)
    case 'command':
      return command(deps, server, step.command)
    case 'message':
      return command(deps, server, `say ${step.text}`)
    case 'backup':
      await createBackup(deps, { server, userId: null }, { name: step.name, pinned: false, cause: 'schedule' })
      return atOnce
    case 'webhook':
      await callWebhook(deps, server, step.url)
      return atOnce
  }
}

/**
 * Whether a server has come to where a step wanted it, or somebody wants something else of it meanwhile.
 * @throws DomainError when it will not come up by itself
 */
export function hasCome(server: ServerRow, wanted: 'up' | 'down'): boolean {
  if (wanted === 'down') return !isLive(server.phase) || server.want_running
  if (!shouldRun(server) && server.hold === null) throw new DomainError('server_is_not_running')
  return server.phase === 'running' && !isSleeping(server) && describeStatus(server).activity === null
}

/** As its owner would. */
async function power(
  deps: StepDeps,
  server: ServerRow,
  { action, warning_seconds: seconds = 0 }: Extract<ScheduleStep, { kind: 'power' }>,
): Promise<StepOutcome> {
  const userId = server.owner_id
  const executor = { userId }
  const after = { once: action === 'stop' ? 'down' : 'up', repeats: false } as const
  if (action !== 'start' && seconds > 0 && server.players_online > 0) {
    await endGame(deps, server.id, action, { userId, timeout: stopSeconds, seconds })
    return { ...after, warnedSeconds: seconds }
  }
  try {
    if (action === 'stop') await stopServer(deps, server, { executor, timeout: stopSeconds })
    else if (action === 'restart')
      await restartServer(deps, server, { executor, timeout: stopSeconds, whatever: isSleeping(server) })
    else if (isSleeping(server)) await wakeServer(deps, server.id, { because: 'schedule' })
    else await startServer(deps, server, executor)
  } catch (error) {
    const isDone = error instanceof DomainError && wantedAlready.has(error.code) && action !== 'restart'
    if (!isDone) throw error
  }
  return after
}

/** Wakes one that sleeps, and waits for one that is on its way up. */
async function command(deps: StepDeps, server: ServerRow, text: string): Promise<StepOutcome> {
  if (!hasCome(server, 'up')) {
    if (isSleeping(server)) await wakeServer(deps, server.id, { because: 'schedule' })
    return onceUp
  }
  const supervisor = await deps.fleet.find(server.id)
  if (supervisor === undefined) throw new DomainError('server_is_not_running')
  await supervisor.command(text).catch((error: unknown) => {
    if (error instanceof SupervisorError && error.status === 409) throw new DomainError('server_is_not_running')
    throw error
  })
  return atOnce
}

async function callWebhook({ settings }: StepDeps, server: ServerRow, url: string): Promise<void> {
  const body = JSON.stringify({ server_id: server.id, name: server.name, time: new Date().toISOString() })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Wakestone' }
  const { status } = await postOutside(url, { headers, body, mayBePrivate: settings.ALLOW_PRIVATE_TARGETS }).catch(
    () => {
      throw new DomainError('webhook_unreachable')
    },
  )
  if (status >= 400) throw new Error(`HTTP ${status}`)
}
