/** A new address for an account: proved by a link sent to it, told to the old one. */
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { moveSubscription } from '#src/features/site/newsletter/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import {
  type Link,
  endSessionsOf,
  requireLinkAllowed,
  requireOwnPassword,
  sendLink,
} from '#src/features/accounts/sign-in/service.ts'
import { changeUser, findUser, findUserByLogin } from '#src/features/accounts/users/service.ts'

/**
 * Mails a link to the new address; nothing changes until it is used.
 * @throws DomainError `invalid_user_password`, `resource_already_exists` (of `email`), `email_already_sent`.
 */
export async function requestEmailChange(
  context: Context,
  userId: string,
  wanted: { email: string; password?: string | undefined },
): Promise<void> {
  await requireOwnPassword(context, userId, wanted.password)
  await inTransaction(context.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    if ((await findUserByLogin(trx, wanted.email)) !== undefined)
      throw new DomainError('resource_already_exists', { resource: 'email' })
    await requireLinkAllowed(trx, userId, 'change_email')
    await sendLink(context, trx, { userId, purpose: 'change_email', email: wanted.email, accountEmail: user.email })
  })
}

/** Gives the account the address that a link has proved. All its sessions end: whoever is in may not be its owner. */
export async function takeNewEmail(context: Context, trx: Transaction, link: Link, ip: string): Promise<void> {
  const before = await findUser(trx, link.userId)
  // Somebody may have registered with it meanwhile; the index has the last word.
  if ((await findUserByLogin(trx, link.email)) !== undefined)
    throw new DomainError('resource_already_exists', { resource: 'email' })
  await changeUser(trx, link.userId, { email: link.email, email_verified: new Date() })
  await endSessionsOf(trx, link.userId)
  await recordUserEvent(trx, link.userId, {
    action: 'USER_CHANGE_EMAIL',
    data: { email: link.email, old_email: link.userEmail },
  })
  // An old address that was never proved may be somebody else's, and so may its subscription.
  if (before?.email_verified != null) {
    const language = before.language as Language
    await moveSubscription(context, trx, { userId: before.id, from: before.email, to: link.email, language }, ip)
  }
  await notify(trx, { userId: link.userId, kind: 'EMAIL_CHANGED', fields: {}, mailTo: link.userEmail })
}
