/**
 * Links sent by mail that prove an address: signed, single-use, and good only while the account has the address that it
 * had when the link was made. Nothing that is stored opens anything: the signature is in the mail alone.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import { isSameText, signCode } from '@wakestone/kit/signed-code'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { defineJob, enqueue, mailRetries } from '#src/jobs/boss.ts'
import {
  countMailCodesSince,
  findMailCode,
  insertMailCode,
  type LinkPurpose,
  lockMailCode,
  markMailCodeUsed,
} from './mail-code-repo.ts'
import { linkMail } from './mails.ts'

/** Where a link leads, after the language, and how many minutes it works. */
const links: Record<LinkPurpose, { path: string; minutes: number }> = {
  confirm_email: { path: '/email/confirm', minutes: 24 * 60 },
  change_email: { path: '/email/confirm', minutes: 60 },
  reset_password: { path: '/change-password/confirm', minutes: 60 },
}

const pauseMilliseconds = 60_000
const linksPerDay = 10
const openResets = 5

export const sendLinkJob = defineJob<{ codeId: string }>({
  queue: 'send-mail-link',
  ...mailRetries,
})

function codeOf({ secrets }: Pick<Context, 'secrets'>, code: { id: string; purpose: string; email: string }): string {
  return signCode(secrets.mailLinks, code.id, `${code.purpose}|${code.id}|${code.email}`)
}

/** Makes a link to `email` and enqueues its mail, in the caller's transaction. */
export async function sendLink(
  context: Pick<Context, 'boss'>,
  trx: Transaction,
  link: { userId: string; purpose: LinkPurpose; email: string; accountEmail: string },
): Promise<void> {
  const expiresAt = new Date(Date.now() + links[link.purpose].minutes * 60_000)
  const codeId = await insertMailCode(trx, { ...link, expiresAt })
  await enqueue(context.boss, trx, sendLinkJob, { codeId })
}

/** @throws DomainError `email_already_sent` within a minute of the last one, `too_many_requests` after ten in a day. */
export async function requireLinkAllowed(trx: Transaction, userId: string, purpose: LinkPurpose): Promise<void> {
  if ((await countMailCodesSince(trx, userId, purpose, new Date(Date.now() - pauseMilliseconds))) > 0)
    throw new DomainError('email_already_sent')
  if ((await countMailCodesSince(trx, userId, purpose, new Date(Date.now() - 24 * 3600_000))) >= linksPerDay)
    throw new DomainError('too_many_requests', { resource: 'email' })
}

/**
 * Whether another link to a new password is worth its mail. Anybody may ask for one, so strangers who do must not keep
 * it from the owner: none is sent only while one that was sent before still works.
 */
export async function isResetAllowed(trx: Transaction, userId: string): Promise<boolean> {
  const since = (milliseconds: number) =>
    countMailCodesSince(trx, userId, 'reset_password', new Date(Date.now() - milliseconds))
  if ((await since(pauseMilliseconds)) > 0) return false
  return (await since(links.reset_password.minutes * 60_000)) < openResets
}

/** Does the job: sends the mail of one link, unless it has become needless. */
export async function sendLinkMail(context: Context, { codeId }: { codeId: string }): Promise<void> {
  const code = await findMailCode(context.db, codeId)
  if (code === undefined || code.used_at !== null || code.expires_at.getTime() < Date.now()) return
  if (code.purpose === 'confirm_email' && code.email_verified !== null) return
  const purpose = code.purpose as LinkPurpose
  const language = code.language as Language
  const address = `${publicUrl(context.settings)}/${language}${links[purpose].path}`
  const link = `${address}?code=${encodeURIComponent(codeOf(context, code))}`
  await context.mailer.send({ to: code.email, ...linkMail(purpose, { language, username: code.username, link }) })
}

/** `email` is the address that the link proves, `userEmail` that of the account. */
export type Link = { purpose: LinkPurpose; userId: string; email: string; userEmail: string }

/**
 * Spends the code of a link, in the caller's transaction.
 * @throws DomainError `no_code` for a forged or foreign one, `user_code_expired` when it was used, is late, or the
 *   account has another address by now.
 */
export async function spendLink(
  context: Context,
  trx: Transaction,
  given: string,
  purposes: readonly LinkPurpose[],
): Promise<Link> {
  const id = given.split('.')[0] ?? ''
  const code = /^[0-9a-f-]{36}$/.test(id) ? await lockMailCode(trx, id) : undefined
  const purpose = purposes.find((one) => one === code?.purpose)
  if (code === undefined || purpose === undefined || !isSameText(codeOf(context, code), given))
    throw new DomainError('no_code')
  if (code.account_email !== code.userEmail) throw new DomainError('user_code_expired')
  if (purpose === 'confirm_email' && code.email_verified !== null) throw new DomainError('email_already_verified')
  if (code.used_at !== null || code.expires_at.getTime() < Date.now()) throw new DomainError('user_code_expired')
  await markMailCodeUsed(trx, code.id)
  return { purpose, userId: code.userId, email: code.email, userEmail: code.userEmail }
}
