/** When accounts were last used: noted in memory at each request, and written together every now and then. */
import type { Context } from '#src/context.ts'
import { writeActivities } from '#src/features/accounts/users/service.ts'

const writtenEvery = 30_000

export type Activity = {
  note(userId: string): void
  /** Writes what was noted. */
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
      logger.warn({ err: error, users: users.size }, 'when accounts were last used could not be written')
    }
  }

  const timer = setInterval(() => void write(), writtenEvery)
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
