/** What a placed server is told: to install its plan, and to have its game up, down or frozen. */
import { type Decision, hasGame, isAsleep } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notePreparation } from '#src/features/servers/operations/service.ts'
import { type ServerRow, isLive, shouldRun } from '#src/features/servers/servers/service.ts'
import * as observed from './observed-repo.ts'
import { afterStepMilliseconds, inMilliseconds, isBehind, soonMilliseconds } from './pauses.ts'
import type { Placing } from './placing.ts'
import { markPrepared } from './prepared.ts'

/** All is as it should be: looked at now and then, whatever may have got lost. What happens is told by events. */
const settledMilliseconds = () => (12 + Math.random() * 6) * 60_000

/** The state of the game has changed meanwhile. */
function forgiveConflict(error: unknown): void {
  if (!(error instanceof SupervisorError && error.status === 409)) throw error
}

const afterMoment = (time: Date) => new Date(time.getTime() + 1)

type Deps = { context: Pick<Context, 'db'>; fleet: Fleet; lingersUntil: Placing['lingersUntil'] }

export function createPower({ context, fleet, lingersUntil }: Deps) {
  const { db } = context

  /** @returns undefined when everything is installed, or else when to look again. */
  async function ensureInstalled(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
  ): Promise<Date | undefined> {
    const { id } = server
    if (status.phase === 'installing') return inMilliseconds(afterStepMilliseconds)
    if (status.installedPlan === server.plan_hash) {
      if (server.prepared_at === null && !shouldRun(server)) await inTransaction(db, (trx) => markPrepared(trx, id))
      return undefined
    }
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    // What runs goes on as it is: another plan comes with its next start.
    if (isLive(status.phase)) return undefined
    if (server.retry_at !== null && server.retry_at.getTime() > Date.now()) return server.retry_at
    const plan = await observed.findPlan(db, id)
    if (plan === undefined) throw new Error('a server without a plan')
    await observed.clearFailure(db, id)
    await notePreparation(db, id, {
      phase: 'install',
      progress: 0.05,
      item: plan.packages[0]?.name ?? null,
    })
    await supervisor.install(plan)
    return inMilliseconds(afterStepMilliseconds)
  }

  /** @returns when to look again */
  async function ensurePower(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
    { level, until }: Decision,
  ): Promise<Date | null> {
    const { id } = server
    const { phase, lastEventSeq: seq } = status
    const isUp = isLive(phase) && phase !== 'stopping'
    const mayHaveGame = hasGame[level] && shouldRun(server)
    const restartDue = mayHaveGame && !isAsleep(level) && server.restarts_wanted > server.restarts_done
    if (isUp && (!mayHaveGame || restartDue)) {
      await observed.writeTold(db, id, { told: 'down', seq })
      await supervisor.stop(server.stop_timeout)
      return inMilliseconds(afterStepMilliseconds)
    }
    if (phase === 'stopping') return inMilliseconds(afterStepMilliseconds)
    if (level === 'LIGHT_SLEEP') return ensureFrozen(server, supervisor, status, until)
    if (phase === 'frozen') {
      await supervisor.thaw()
      return inMilliseconds(afterStepMilliseconds)
    }
    if (!isUp && mayHaveGame) {
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await observed.writeTold(db, id, { told: 'up', seq, restartsDone: server.restarts_wanted })
      await notePreparation(db, id, { phase: 'start', progress: 0.85, item: null })
      await supervisor.start().catch(forgiveConflict)
      return inMilliseconds(afterStepMilliseconds)
    }
    if (mayHaveGame && phase !== 'running') return inMilliseconds(afterStepMilliseconds)
    return settledUntil(server, status, until)
  }

  /** A game that is down by now sleeps on so; one that is just starting is looked at again. */
  async function ensureFrozen(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
    until: Date | null,
  ): Promise<Date> {
    if (status.phase === 'starting' || status.phase === 'restarting') return inMilliseconds(afterStepMilliseconds)
    if (status.phase === 'running') {
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await supervisor.freeze().catch(forgiveConflict)
      return inMilliseconds(afterStepMilliseconds)
    }
    // It is told at once that a game shall be frozen, and is only when its world is written: until then it uses its memory.
    if (status.phase === 'frozen') await giveBackOnce(server.id)
    return settledUntil(server, status, until)
  }

  /** Has a frozen game leave its memory to others, once in each sleep. */
  async function giveBackOnce(serverId: string): Promise<void> {
    if (!(await observed.holdsMemory(db, serverId))) return
    await observed.writeFreed(db, serverId, (await fleet.cluster.giveBackMemory(serverId)) ?? 0)
  }

  function settledUntil(server: ServerRow, status: SupervisorStatus, until: Date | null): Date {
    // What it says may not be taken in yet: it is looked at again once that is.
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    const isWithoutGame = !isLive(status.phase)
    const times = [inMilliseconds(settledMilliseconds())]
    if (server.expires !== null && server.expires.getTime() > Date.now()) times.push(afterMoment(server.expires))
    // It may have passed since the decision: then the next look is due now.
    if (until !== null) times.push(afterMoment(until))
    const linger = lingersUntil(server)
    if (isWithoutGame && linger.getTime() > Date.now()) times.push(afterMoment(linger))
    return new Date(Math.min(...times.map((time) => time.getTime())))
  }

  return { ensureInstalled, ensurePower }
}
