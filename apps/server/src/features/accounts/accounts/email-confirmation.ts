/** Proves the address of an account, or a new one that takes its place, by a link sent to it. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { confirmWithAccount } from '#src/features/site/newsletter/service.ts'
import { takeNewEmail } from './email-change.ts'
import { requireLinkAllowed, sendLink, spendLink } from '#src/features/accounts/sign-in/service.ts'
import { findUser, markEmailVerified } from '#src/features/accounts/users/service.ts'

/** Makes a link and enqueues its mail, in the caller's transaction. */
export function requestConfirmation(
  context: Pick<Context, 'boss'>,
  trx: Transaction,
  user: { id: string; email: string },
): Promise<void> {
  const { id: userId, email } = user
  return sendLink(context, trx, { userId, purpose: 'confirm_email', email, accountEmail: email })
}

/** @throws DomainError `email_already_verified`, or `email_already_sent` within a minute of the last one. */
export async function resendConfirmation(context: Context, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    if (user.email_verified !== null) throw new DomainError('email_already_verified')
    await requireLinkAllowed(trx, userId, 'confirm_email')
    await requestConfirmation(context, trx, user)
    await recordUserEvent(trx, userId, {
      action: 'USER_RESEND_EMAIL',
    })
  })
}

/** @throws DomainError `no_code` for a forged or foreign one, `user_code_expired`, `email_already_verified`. */
export async function confirmEmail(context: Context, given: string, ip: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const link = await spendLink(context, trx, given, ['confirm_email', 'change_email'])
    if (link.purpose === 'change_email') return takeNewEmail(context, trx, link, ip)
    await markEmailVerified(trx, link.userId)
    await confirmWithAccount(context, trx, { userId: link.userId, ip })
    await recordUserEvent(trx, link.userId, {
      action: 'USER_CONFIRM_EMAIL',
      data: { email: link.email },
    })
  })
}
