/** What a supervisor does with all files of a server while its game is down; see `/v1/snapshot` and `/v1/format`. */
import { DomainError } from '@wakestone/contract/errors'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { askStatus, findSupervisor, type GameStep } from './game-phases.ts'

const lookMilliseconds = 500

/**
 * Has a piece of work done, and says meanwhile how far it is. Asked for again after a kill, it is done once more, which
 * changes nothing. @returns false where the supervisor is too old for it. @throws DomainError when it cannot be done.
 */
async function performWork(step: GameStep, ask: (supervisor: SupervisorClient) => Promise<unknown>): Promise<boolean> {
  const supervisor = await findSupervisor(step)
  let isOver = false
  const work = ask(supervisor)
    .then(() => true, explain)
    .finally(() => (isOver = true))
  async function follow(): Promise<boolean> {
    while (!isOver) {
      await step.pause(lookMilliseconds) // throws when the operation is cancelled
      const told = (await askStatus(step))?.fileWork
      if (told?.bytesTotal) step.report(told.bytesDone / told.bytesTotal)
    }
    return work
  }
  return Promise.race([work, follow()])
}

function explain(error: unknown): false {
  if (error instanceof SupervisorError && error.fault === 'refused') {
    if (error.status === 404) return false
    if (/room|space/i.test(error.message)) throw new DomainError('insufficient_storage', { reason: error.message })
  }
  throw error // not now: tried again
}

/** Keeps a copy of all files. @returns whether there is one. */
export const takeSnapshot = (step: GameStep, id: string) => performWork(step, (supervisor) => supervisor.snapshot(id))

/** Puts a copy in the place of the files. */
export async function restoreSnapshot(step: GameStep, id: string): Promise<void> {
  if (!(await performWork(step, (supervisor) => supervisor.restoreSnapshot(id))))
    throw new DomainError('service_unavailable')
}

/** Deletes all files but some. */
export async function formatVolume(step: GameStep, keep: readonly string[]): Promise<void> {
  if (!(await performWork(step, (supervisor) => supervisor.format(keep)))) throw new DomainError('service_unavailable')
}
