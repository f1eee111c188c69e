/** In which language an account is written to, and by which clock times are told to it. */
import type { z } from 'zod'
import type { setLocaleBody } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { DomainError } from '@wakestone/contract/errors'
import { changeUser, lockUser } from '#src/features/accounts/users/service.ts'

/** What is not given stays as it is. @throws DomainError `user_not_found`. */
export async function setLocale(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { language, time_zone }: z.output<typeof setLocaleBody>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    await changeUser(trx, userId, { language: language ?? user.language, time_zone: time_zone ?? user.time_zone })
  })
}
