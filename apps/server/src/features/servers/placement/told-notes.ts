/** Gathers up to when supervisors have told all, and writes that for many of them at once. */
import type { Context } from '#src/context.ts'
import { noteToldUntil } from './looks-repo.ts'

const flushMilliseconds = 5_000

type ToldNotes = { note(serverId: string, at: Date): void; close(): Promise<void> }

export function createToldNotes({ db, logger }: Pick<Context, 'db' | 'logger'>): ToldNotes {
  let waiting = new Map<string, Date>()
  let writing = Promise.resolve()

  function flush() {
    const notes = waiting
    waiting = new Map()
    if (notes.size === 0) return writing
    writing = writing
      .then(() => noteToldUntil(db, notes))
      // The next look tells of a later moment anyway.
      .catch((error: unknown) => logger.debug({ error }, 'cannot note what supervisors have told'))
    return writing
  }
  const timer = setInterval(() => void flush(), flushMilliseconds)

  return {
    note: (serverId, at) => void waiting.set(serverId, at),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
