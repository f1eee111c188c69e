/**
 * Proves an e-mail address: a signed, single-use link, good for 24 hours and for the address it was sent to.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordEvent } from '#src/features/events/service.ts'
import { confirmWithAccount } from '#src/features/newsletter/service.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { confirmEmailMail } from './mails.ts'
import { countMailCodesSince, findMailCode, insertMailCode, useMailCode } from './mail-code-repo.ts'
import { findUser, markEmailVerified } from './repo.ts'

const validMilliseconds = 24 * 3600_000
const resendPauseMilliseconds = 60_000
const resendsPerDay = 10

export const sendConfirmationJob = defineJob<{ codeId: string }>({
  queue: 'send-confirmation-mail',
  policy: 'standard',
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
})

function codeOf(context: Pick<Context, 'secrets'>, id: string, email: string): string {
  const signature = createHmac('sha256', context.secrets.mailLinks)
    .update(`confirm_email|${id}|${email}`)
    .digest('base64url')
  return `${id}.${signature}`
}

/** Makes a link and enqueues its mail, in the caller's transaction. */
export async function requestConfirmation(
  context: Pick<Context, 'boss'>,
  trx: Transaction,
  user: { id: string; email: string },
): Promise<void> {
  const codeId = await insertMailCode(trx, {
    userId: user.id,
    purpose: 'confirm_email',
    email: user.email,
    expiresAt: new Date(Date.now() + validMilliseconds),
  })
  await enqueue(context.boss, trx, sendConfirmationJob, { codeId })
}

/** @throws DomainError `email_already_verified`, or `email_already_sent` within a minute of the last one. */
export async function resendConfirmation(context: Context, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    if (user.email_verified !== null) throw new DomainError('email_already_verified')
    if ((await countMailCodesSince(trx, userId, new Date(Date.now() - resendPauseMilliseconds))) > 0)
      throw new DomainError('email_already_sent')
    if ((await countMailCodesSince(trx, userId, new Date(Date.now() - 24 * 3600_000))) >= resendsPerDay)
      throw new DomainError('too_many_requests', { resource: 'email' })
    await requestConfirmation(context, trx, user)
    await recordEvent(trx, {
      level: 20,
      resourceType: 'user',
      resourceId: userId,
      action: 'USER_RESEND_EMAIL',
      success: true,
    })
  })
}

/** Does the job: sends the mail of one link, unless it has become needless. */
export async function sendConfirmation(context: Context, { codeId }: { codeId: string }): Promise<void> {
  const code = await findMailCode(context.db, codeId)
  if (code === undefined || code.used_at !== null || code.email_verified !== null) return
  const language = code.language as Language
  const link = `${publicUrl(context.settings)}/${language}/email/confirm?code=${encodeURIComponent(codeOf(context, code.id, code.email))}`
  await context.mailer.send({ to: code.email, ...confirmEmailMail({ language, username: code.username, link }) })
}

/** @throws DomainError `no_code` for a forged or foreign one, `user_code_expired`, `email_already_verified`. */
export async function confirmEmail(context: Context, given: string, ip: string): Promise<void> {
  const id = given.split('.')[0] ?? ''
  const code = /^[0-9a-f-]{36}$/.test(id) ? await findMailCode(context.db, id) : undefined
  if (code === undefined || !isSame(codeOf(context, code.id, code.email), given)) throw new DomainError('no_code')
  if (code.email !== code.userEmail) throw new DomainError('user_code_expired')
  if (code.email_verified !== null) throw new DomainError('email_already_verified')
  if (code.used_at !== null || code.expires_at.getTime() < Date.now()) throw new DomainError('user_code_expired')
  await inTransaction(context.db, async (trx) => {
    if (!(await useMailCode(trx, code.id))) throw new DomainError('user_code_expired')
    await markEmailVerified(trx, code.userId)
    await confirmWithAccount(context, trx, { userId: code.userId, ip })
    await recordEvent(trx, {
      level: 20,
      resourceType: 'user',
      resourceId: code.userId,
      action: 'USER_CONFIRM_EMAIL',
      success: true,
      data: { email: code.email },
    })
  })
}

function isSame(expected: string, given: string): boolean {
  const left = Buffer.from(expected)
  const right = Buffer.from(given)
  return left.length === right.length && timingSafeEqual(left, right)
}
