/**
 * The end of an account: confirmed by a mailed code, carried out after 14 days in which it can be cancelled. What names
 * a person is removed; postings, payments and the audit log, which law makes us keep, stay under an account without one.
 */
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { anonymiseEventsOf, recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { erasePersonalData } from '#src/features/accounts/personal-data/service.ts'
import { stopServersOf } from '#src/features/servers/servers/service.ts'
import { hasActivePaidService } from '#src/features/sales/services/service.ts'
import { defineJob } from '#src/jobs/boss.ts'
import { endSessionsOf, findOpenDigitsOf, sendDigits, spendDigits } from '#src/features/accounts/sign-in/service.ts'
import { type UserRow, changeUser, lockUser, selectDueUsers } from '#src/features/accounts/users/service.ts'

const coolingMilliseconds = 14 * 24 * 3600_000

/** Looks hourly for accounts whose time has come. */
export const deleteAccountsJob = defineJob<Record<string, never>>({
  queue: 'delete-accounts',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})

/** @throws DomainError `user_already_scheduled_for_deletion`, or `user_has_active_services` while one is paid for. */
async function requireDeletable(trx: Transaction, userId: string): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  if (user.destroy_at !== null) throw new DomainError('user_already_scheduled_for_deletion', { resource: 'user' })
  if (await hasActivePaidService(trx, userId)) throw new DomainError('user_has_active_services', { resource: 'user' })
  return user
}

/** Mails the code that confirms a deletion. */
export async function sendDeletionCode(context: Context, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const { email, language } = await requireDeletable(trx, userId)
    await sendDigits(context, trx, {
      purpose: 'delete_account',
      email: email.toLowerCase(),
      userId,
      language: language as Language,
      browserHash: null,
      askedFrom: null,
    })
  })
}

/** @throws DomainError `no_code`, `user_code_expired`, and what keeps an account from being deleted. */
export async function scheduleDeletion(context: Context, userId: string, digits: string): Promise<void> {
  const id = await findOpenDigitsOf(context.db, userId, 'delete_account')
  if (id === undefined) throw new DomainError('no_code')
  await spendDigits(context, { id, purpose: 'delete_account', digits, browserHash: null }, async (trx) => {
    const { email, username } = await requireDeletable(trx, userId)
    const destroyAt = new Date(Date.now() + coolingMilliseconds)
    await changeUser(trx, userId, { destroy_at: destroyAt })
    await recordUserEvent(trx, userId, {
      action: 'USER_SCHEDULE_DELETION',
      level: eventLevels.WARN,
      data: { email, username, scheduled_destruction: destroyAt.toISOString() },
    })
    await notify(trx, { userId, kind: 'DELETION_SCHEDULED', fields: { at: destroyAt.toISOString() } })
  })
}

/** Keeps the account after all. Nothing happens where nothing was scheduled. */
export async function cancelDeletion(context: Pick<Context, 'db'>, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    if (user.destroy_at === null) return
    await changeUser(trx, userId, { destroy_at: null })
    await recordUserEvent(trx, userId, {
      action: 'USER_CANCEL_DELETION',
    })
  })
}

/** Deletes the accounts whose time has come, each by itself: one that fails is tried again without the others. */
export async function deleteDueAccounts(context: Context, now = new Date()): Promise<void> {
  for (const userId of await selectDueUsers(context.db, now)) {
    await stopServersOf(context, userId)
    await inTransaction(context.db, async (trx) => {
      const user = await lockUser(trx, userId)
      if (user?.destroy_at == null || user.destroy_at > now) return // cancelled meanwhile
      await deleteAccount(trx, userId, now)
    })
    context.logger.info({ userId }, 'account deleted')
  }
}

/** The end itself. The caller has seen to it that it is wanted, and holds the lock of the account. */
export async function deleteAccount(trx: Transaction, userId: string, now: Date): Promise<void> {
  await endSessionsOf(trx, userId)
  await changeUser(trx, userId, { destroyed_at: now })
  await erasePersonalData(trx, userId)
  await anonymiseEventsOf(trx, userId)
}
