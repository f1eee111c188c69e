/** What a supervisor does with all files of a server while its game is down; see `/v1/snapshot` and `/v1/format`. */
import { DomainError } from '@wakestone/contract/errors'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { askStatus, type GameStep } from './game-phases.ts'

type Work = { kind: 'snapshot' | 'restore' | 'format'; id: string | null }
/** What supervisors tell of it; older ones know nothing of it. */
type Told = {
  fileWork?: (Work & { bytesDone: number; bytesTotal: number | null }) | null
  lastFileWork?: (Work & { error: string | null }) | null
  snapshots?: { id: string }[]
}
type FileCalls = {
  snapshot(id: string): Promise<unknown>
  restoreSnapshot(id: string): Promise<unknown>
  deleteSnapshot(id: string): Promise<void>
  format(keep: string[]): Promise<unknown>
}

const lookMilliseconds = 300

/** Undefined for supervisors that can do nothing of this. */
function callsOf(supervisor: SupervisorClient): FileCalls | undefined {
  const { snapshot, restoreSnapshot, deleteSnapshot, format } = supervisor as Partial<FileCalls>
  return snapshot && restoreSnapshot && deleteSnapshot && format
    ? { snapshot, restoreSnapshot, deleteSnapshot, format }
    : undefined
}

/**
 * Has a piece of work done, and waits for its end. Asked for again after a kill, it is done once more, which changes
 * nothing. @returns false where the supervisor is too old for it.
 * @throws DomainError when it cannot be done.
 */
async function performWork(
  step: GameStep,
  wanted: Work,
  ask: (calls: FileCalls) => Promise<unknown>,
): Promise<boolean> {
  const isWanted = (work: Work | null | undefined) => work?.kind === wanted.kind && work.id === wanted.id
  let isAsked = false
  for (;;) {
    const supervisor = await step.deps.fleet.find(step.serverId)
    const status = await askStatus(step)
    if (supervisor !== undefined && status !== undefined) {
      const calls = callsOf(supervisor)
      if (calls === undefined) return false
      const { fileWork, lastFileWork, snapshots } = status as Told
      if (fileWork) {
        if (isWanted(fileWork) && fileWork.bytesTotal) step.report(fileWork.bytesDone / fileWork.bytesTotal)
      } else if (isAsked && isWanted(lastFileWork)) {
        if (lastFileWork?.error) throw new DomainError('insufficient_storage', { reason: lastFileWork.error })
        return true
      } else if (isAsked && wanted.kind === 'snapshot' && snapshots?.some(({ id }) => id === wanted.id)) {
        return true
      } else {
        isAsked = await ask(calls).then(
          () => true,
          (error: unknown) => {
            if (error instanceof SupervisorError && error.status === 409) return false // not down yet, or at other work
            throw error
          },
        )
      }
    }
    await step.pause(lookMilliseconds)
  }
}

/** Keeps a copy of all files. @returns whether there is one. */
export const takeSnapshot = (step: GameStep, id: string) =>
  performWork(step, { kind: 'snapshot', id }, (calls) => calls.snapshot(id))

/** Puts a copy in the place of the files. */
export const restoreSnapshot = (step: GameStep, id: string) =>
  performWork(step, { kind: 'restore', id }, (calls) => calls.restoreSnapshot(id))

/** Deletes all files but some. */
export const formatVolume = (step: GameStep, keep: string[]) =>
  performWork(step, { kind: 'format', id: null }, (calls) => calls.format(keep))

export async function dropSnapshot(supervisor: SupervisorClient, id: string): Promise<void> {
  await callsOf(supervisor)?.deleteSnapshot(id)
}
