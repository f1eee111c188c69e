/** When accounts were last used: noted in memory on each request and written to the database in batches. */
import type { Context } from '#src/context.ts'
import { writeActivities } from '#src/features/accounts/users/service.ts'

const writeMilliseconds = 30_000

export type Activity = {
  note(userId: string): void
  /** Writes what has been noted so far. */
  write(): Promise<void>
  close(): Promise<void>
}

export function createActivity({ db, logger }: Pick<Context, 'db' | 'logger'>): Activity {
  let noted = new Map<string, Date>()

  async function write() {
    if (noted.size === 0) return
    const users = noted
    noted = new Map()
    try {
      await writeActivities(db, users)
    } catch (error) {
      logger.warn({ err: error, users: users.size }, 'cannot write when accounts were last used')
    }
  }

  const timer = setInterval(() => void write(), writeMilliseconds)
  timer.unref()
  return {
    note: (userId) => void noted.set(userId, new Date()),
    write,
    close() {
      clearInterval(timer)
      return write()
    },
  }
}
