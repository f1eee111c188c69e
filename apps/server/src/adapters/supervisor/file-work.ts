/** Has a supervisor work on all files of a server, and waits until that is done. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FileWork, SupervisorStatus } from '@wakestone/protocol/supervisor'
import { SupervisorError } from './errors.ts'

const lookMilliseconds = 500
/** A supervisor that is placed anew meanwhile may have forgotten what was asked of it. */
const mostTries = 3

export async function workOnFiles({
  kind,
  id,
  ask,
  status,
  closing,
}: {
  kind: FileWork['kind']
  id: string | null
  ask: () => Promise<SupervisorStatus>
  status: () => Promise<SupervisorStatus>
  closing: AbortSignal
}): Promise<void> {
  const isOurs = (work: { kind: string; id: string | null } | null | undefined) => work?.kind === kind && work.id === id
  for (let tries = 0; tries < mostTries; tries++) {
    let told = await ask()
    while (isOurs(told.fileWork)) {
      await delay(lookMilliseconds, undefined, { signal: closing })
      told = await status()
    }
    if (isOurs(told.lastFileWork)) {
      const error = told.lastFileWork?.error ?? null
      if (error === null) return
      throw new SupervisorError('refused', error, { status: 409 })
    }
    if (kind === 'snapshot' && told.snapshots?.some((snapshot) => snapshot.id === id) === true) return
  }
  throw new SupervisorError('refused', 'work on the files was cut off', { status: 409 })
}
