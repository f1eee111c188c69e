/** Holds a world still while its files are read: written to disk, and nothing more written by the game. */
import { setTimeout as delay } from 'node:timers/promises'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Step } from '#src/features/servers/operations/service.ts'

/** Without being asked again its supervisor lets the world go on: whoever asked is gone then. */
const holdSeconds = 60
const renewMilliseconds = 15_000
const lookMilliseconds = 500

type AskDeps = Pick<Step<never, never>['deps'], 'fleet' | 'logger'>
type HoldStep = Pick<Step<never, never>, 'serverId' | 'pause' | 'report'> & { deps: AskDeps }

/** A supervisor that is away has no game; one that is too old holds nothing. */
async function ask<Result>(
  { serverId, deps }: Pick<HoldStep, 'serverId' | 'deps'>,
  question: (supervisor: SupervisorClient) => Promise<Result>,
): Promise<Result | undefined> {
  const supervisor = await deps.fleet.find(serverId)
  if (supervisor === undefined) return undefined
  try {
    return await question(supervisor)
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error
    deps.logger.info({ serverId, reason: error.message }, 'a world is not held')
    return undefined
  }
}

const holdOnce = (step: Pick<HoldStep, 'serverId' | 'deps'>) =>
  ask(step, (supervisor) => supervisor.holdWorld(holdSeconds))

/** Waits until the world is written. Nothing to wait for where no game runs. */
export async function holdWorld(step: HoldStep): Promise<void> {
  while ((await holdOnce(step))?.world === 'saving') {
    step.report(0.5)
    await step.pause(lookMilliseconds)
  }
}

export async function releaseWorld(step: Pick<HoldStep, 'serverId' | 'deps'>): Promise<void> {
  await ask(step, (supervisor) => supervisor.releaseWorld())
}

/** Does something while the world is held, and lets it go on in any case. */
export async function withHeldWorld<Result>(step: HoldStep, work: () => Promise<Result>): Promise<Result> {
  await holdWorld(step)
  const renewing = setInterval(() => void holdOnce(step).catch(() => undefined), renewMilliseconds)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await releaseWorld(step).catch(() => undefined) // it goes on by itself soon
  }
}

/** Has the world written once, and lets it go on. */
export async function flushWorld(
  on: Pick<HoldStep, 'serverId'> & { deps: AskDeps },
  signal: AbortSignal,
): Promise<void> {
  try {
    await holdWorld({
      ...on,
      report: () => undefined,
      pause: (milliseconds) => delay(milliseconds, undefined, { signal }),
    })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await releaseWorld(on).catch(() => undefined) // it goes on by itself soon
  }
}
