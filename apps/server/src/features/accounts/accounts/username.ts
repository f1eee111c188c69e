/** The name of an account: changed once in thirty days, the first choice after a login by code being free. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { changeUser, isUsernameTaken, lockUser, nameTaken } from '#src/features/accounts/users/service.ts'

const pauseMilliseconds = 30 * 24 * 3600_000

/** @throws DomainError `resource_already_exists` when the name is taken. */
export async function requireFreeUsername(context: Pick<Context, 'db'>, name: string): Promise<void> {
  if (await isUsernameTaken(context.db, name)) throw new DomainError('resource_already_exists', { resource: 'name' })
}

/** @throws DomainError `resource_already_exists`, or `too_many_requests` with the seconds to wait. */
export async function changeUsername(context: Context, userId: string, username: string): Promise<void> {
  try {
    await inTransaction(context.db, async (trx) => {
      const user = await lockUser(trx, userId)
      if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
      if (user.username === username) return
      const free = (user.username_changed_at?.getTime() ?? 0) + pauseMilliseconds
      if (free > Date.now()) {
        const retry_after = Math.ceil((free - Date.now()) / 1000)
        throw new DomainError('too_many_requests', { resource: 'name', retry_after })
      }
      await changeUser(trx, userId, { username, username_changed_at: new Date() })
      await recordUserEvent(trx, userId, {
        action: 'USER_CHANGE_USERNAME',
        data: { username, old_username: user.username },
      })
    })
  } catch (error) {
    throw nameTaken(error)
  }
}
