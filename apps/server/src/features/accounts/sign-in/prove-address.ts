/**
 * The first proof that somebody reads the mail of an account's address. Until then anybody may have opened the account
 * with it, waiting for its true owner to come: whatever they set up there ends with the proof.
 */
import type { Transaction } from '#src/db/client.ts'
import { removeApiKeysOf } from '#src/features/accounts/api-keys/service.ts'
import { forgetWaysOut } from '#src/features/ground/notifications/service.ts'
import { deleteWebhooksOf } from '#src/features/ground/webhooks/service.ts'
import { removeFactorsOf } from '#src/features/accounts/second-factors/service.ts'
import { removeSshKeysOf } from '#src/features/accounts/ssh-keys/service.ts'
import { type UserRow, changeUser, endSocialsOf } from '#src/features/accounts/users/service.ts'
import { endSessionsOf } from './sessions.ts'

/** For ways in by mail alone. Nothing happens where the address was proven before. */
export async function proveAddress(trx: Transaction, user: UserRow): Promise<void> {
  if (user.email_verified !== null) return
  await endSessionsOf(trx, user.id)
  await endSocialsOf(trx, user.id)
  await removeApiKeysOf(trx, user.id)
  await removeFactorsOf(trx, user.id)
  await removeSshKeysOf(trx, user.id)
  await forgetWaysOut(trx, user.id)
  await deleteWebhooksOf(trx, user.id)
  await changeUser(trx, user.id, { email_verified: new Date(), password_hash: null })
}
