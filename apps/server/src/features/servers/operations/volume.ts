/** What supervisors do with the files of a server while its game is down. */
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'

/** Each may be asked for again: what has been done is not done twice. */
export type Volume = {
  /** Keeps a copy of all files under this id, beside them. */
  snapshot(id: string): Promise<unknown>
  restoreSnapshot(id: string): Promise<unknown>
  deleteSnapshot(id: string): Promise<unknown>
  /** Deletes all files but these. */
  format(keep: readonly string[]): Promise<unknown>
}

/** Undefined for supervisors that know nothing of it. */
export function volumeOf(supervisor: SupervisorClient): Volume | undefined {
  const { snapshot, restoreSnapshot, deleteSnapshot, format } = supervisor as Partial<Volume>
  return snapshot && restoreSnapshot && deleteSnapshot && format
    ? { snapshot, restoreSnapshot, deleteSnapshot, format }
    : undefined
}
