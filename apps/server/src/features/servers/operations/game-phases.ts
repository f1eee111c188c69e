/** What operations need done with a game: that it is down, that a plan is in place, that it comes up again. */
import { DomainError } from '@wakestone/contract/errors'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { findServer, isLive, type ServerRow } from '#src/features/servers/servers/service.ts'
import type { Step } from './define.ts'

const lookMilliseconds = 300
/** Beyond what its stop may take: the reconciler ends it from outside meanwhile. */
const stopGraceSeconds = 90
/** As long as a supervisor may be away: it is placed, or comes back. */
const supervisorSeconds = 60
/** A game that has not come up by then will not. */
const startSeconds = 300

export type GameStep = Pick<Step<never, never>, 'serverId' | 'deps' | 'since' | 'pause' | 'report'>

const secondsSince = (since: Date) => (Date.now() - since.getTime()) / 1000

/** @throws DomainError when the server is gone. */
export async function findOwnServer({ deps, serverId }: Pick<GameStep, 'deps' | 'serverId'>): Promise<ServerRow> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

/** @throws Error that may pass: nobody is there yet. */
export async function findSupervisor(step: GameStep): Promise<SupervisorClient> {
  for (const deadline = Date.now() + supervisorSeconds * 1000; ;) {
    const supervisor = await step.deps.fleet.find(step.serverId)
    if (supervisor !== undefined) return supervisor
    if (Date.now() > deadline) throw new Error('no supervisor')
    await step.pause(lookMilliseconds)
  }
}

/** The status, or undefined while nobody answers. */
export async function askStatus(step: GameStep): Promise<SupervisorStatus | undefined> {
  try {
    return await (await step.deps.fleet.find(step.serverId))?.status()
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error
    return undefined
  }
}

/** Waits until nothing of the game runs and nothing is installed. The hold has been written: the reconciler stops it. */
export async function untilDown(step: GameStep): Promise<void> {
  const began = Date.now()
  const { stop_timeout } = await findOwnServer(step)
  for (;;) {
    const status = await askStatus(step)
    if (status !== undefined && !isLive(status.phase) && status.phase !== 'installing' && status.phase !== 'unknown')
      return
    const seconds = (Date.now() - began) / 1000
    if (seconds > stop_timeout + stopGraceSeconds)
      throw new DomainError('server_is_not_stopped', { resource: 'server' })
    step.report(Math.min(0.95, seconds / 30))
    await step.pause(lookMilliseconds)
  }
}

/** Waits until a plan that is the server's is in place. @throws DomainError `game_setup_is_invalid` */
export async function untilInstalled(step: GameStep, plan: InstallPlan): Promise<void> {
  let isAsked = false
  for (;;) {
    const status = await askStatus(step)
    if (status?.installedPlan === plan.hash && status.phase !== 'installing') return
    if (status?.phase === 'installing') {
      isAsked ||= status.install?.planHash === plan.hash
      step.report(shareInstalled(status, plan), status.install?.packageName || null)
    } else if (status !== undefined && !isLive(status.phase)) {
      if (isAsked && status.installError !== null)
        throw new DomainError('game_setup_is_invalid', { reason: status.installError })
      isAsked = await askInstall(step, plan)
    }
    await step.pause(lookMilliseconds)
  }
}

/** The reconciler may be faster: the same plan twice is no work. */
async function askInstall(step: GameStep, plan: InstallPlan): Promise<boolean> {
  try {
    await (await findSupervisor(step)).install(plan)
    return true
  } catch (error) {
    if (error instanceof SupervisorError && error.status === 409) return false
    throw error
  }
}

function shareInstalled({ install }: SupervisorStatus, { packages }: InstallPlan): number {
  if (install === null) return 0
  const index = Math.max(
    0,
    packages.findIndex(({ name }) => name === install.packageName),
  )
  const share = install.bytesTotal ? Math.min(1, install.bytesDone / install.bytesTotal) : 0
  return (index + (install.step === 'download' ? share * 0.8 : 0.9)) / Math.max(1, packages.length)
}

/** Waits until the game is up, where it should be. @throws DomainError `game_setup_is_invalid` when it does not come up. */
export async function untilUp(step: GameStep): Promise<void> {
  const fail = (reason: string): never => {
    throw new DomainError('game_setup_is_invalid', { reason })
  }
  for (;;) {
    const server = await findOwnServer(step)
    const status = await askStatus(step)
    if (status?.phase === 'running') return
    const exit = status?.lastExit ?? null
    const isNew = exit !== null && !exit.expected && Date.parse(exit.at) > step.since.getTime()
    // One that was killed together with its supervisor, which nobody saw, is started again.
    const hasCrashed = isNew && (exit.code !== null || exit.signal !== null)
    if (hasCrashed || server.crashed) fail('crashed')
    if (!server.want_running) return // somebody wants it off, which is theirs to say
    const seconds = secondsSince(step.since)
    if (seconds > startSeconds) fail('timeout')
    step.report(Math.min(0.95, seconds / 60))
    await step.pause(lookMilliseconds)
  }
}
