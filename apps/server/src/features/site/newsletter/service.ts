/**
 * Who gets the newsletter: whoever asked for it and proved the address, until they leave. Every step is kept as evidence.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Consent as ShownConsent } from '@wakestone/contract/accounts/consent'
import type { subscribeBody } from '@wakestone/contract/site/newsletter'
import type { Language } from '@wakestone/contract/primitives'
import { plainAddress } from '@wakestone/kit/plain-address'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { termsInForce } from '#src/features/site/documents/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import { readConfirmCode, readUnsubscribeCode } from './codes.ts'
import { sendNewsletterMailJob } from './sending.ts'
import {
  changeAddress,
  type Consent,
  findReader,
  findSubscription,
  findSubscriptionOf,
  insertConsent,
  isSubscribed,
  markConfirmed,
  markWithdrawn,
  requestSubscription,
  selectConsentsOf,
  setNewsletterOfAccount,
  type Subscription,
} from './repo.ts'

export { deleteEndedSubscriptions as dropEndedConsentsBefore } from './repo.ts'

const validMilliseconds = 48 * 3600_000

/** How a step came about. */
type Cause = { source: Consent['source']; userId: string | null; ip: string }
type Place = Parameters<typeof termsInForce>[0]

async function noteConsent(
  context: Place,
  trx: Transaction,
  { row, action, source, userId, ip }: Cause & { row: Subscription; action: Consent['action'] },
): Promise<void> {
  const terms = await termsInForce(context, row.language as Language, 'newsletter-terms')
  await insertConsent(trx, {
    subscriptionId: row.id,
    action,
    source,
    userId,
    termsVersion: terms?.version ?? 'unknown',
    address: plainAddress(ip),
  })
}

/** The steps of a user, as consents are shown; newest first. */
export async function listNewsletterConsentsOf(db: Handle, userId: string): Promise<ShownConsent[]> {
  const actions = { requested: 'requested', confirmed: 'given', withdrawn: 'withdrawn' } as const
  return (await selectConsentsOf(db, userId)).map((row) => ({
    id: row.id,
    subject: 'newsletter' as const,
    action: actions[row.action as Consent['action']],
    version: row.terms_version,
    source: row.source as Consent['source'],
    details: null,
    at: row.at.toISOString(),
  }))
}

/** Answers the same whether or not the address is known: only its mailbox learns more. */
export async function subscribe(context: Context, body: z.output<typeof subscribeBody>, ip: string): Promise<void> {
  await requireWithinLimit(context, 'newsletter', { ip, email: body.email })
  if (body.website !== '') return
  await inTransaction(context.db, async (trx) => {
    const row = await requestSubscription(trx, body)
    await noteConsent(context, trx, { row, action: 'requested', source: 'form', userId: null, ip })
    await enqueue(context.boss, trx, sendNewsletterMailJob, {
      subscriptionId: row.id,
      requestId: row.request_id,
      kind: isSubscribed(row) ? 'already' : 'confirm',
    })
  })
}

/** @throws DomainError `no_code` for a forged one, `user_code_expired`, `email_already_verified`. */
export async function confirmSubscription(context: Context, code: string, ip: string): Promise<void> {
  const named = readConfirmCode(context, code)
  const row = named === undefined ? undefined : await findSubscription(context.db, named.id)
  if (named === undefined || row === undefined) throw new DomainError('no_code')
  if (row.request_id !== named.requestId) throw new DomainError('user_code_expired')
  if (isSubscribed(row)) throw new DomainError('email_already_verified')
  const isUsed = [row.confirmed_at, row.withdrawn_at].some((at) => at !== null && at >= row.requested_at)
  if (isUsed || row.requested_at.getTime() + validMilliseconds < Date.now()) throw new DomainError('user_code_expired')
  await inTransaction(context.db, async (trx) => {
    if (!(await markConfirmed(trx, named))) throw new DomainError('user_code_expired')
    await noteConsent(context, trx, { row, action: 'confirmed', source: 'mail', userId: null, ip })
    await setNewsletterOfAccount(trx, row.email, true)
    await enqueue(context.boss, trx, sendNewsletterMailJob, {
      subscriptionId: row.id,
      requestId: row.request_id,
      kind: 'welcome',
    })
  })
}

/** @throws DomainError `no_code` for a forged one. Leaving twice is no error. */
export async function unsubscribe(context: Context, code: string, ip: string): Promise<void> {
  const id = readUnsubscribeCode(context, code)
  const row = id === undefined ? undefined : await findSubscription(context.db, id)
  if (row === undefined) throw new DomainError('no_code')
  await inTransaction(context.db, (trx) => withdraw(context, trx, row, { source: 'mail', userId: null, ip }))
}

async function withdraw(context: Place, trx: Transaction, row: Subscription, cause: Cause): Promise<void> {
  if (!(await markWithdrawn(trx, row.id))) return
  await noteConsent(context, trx, { row, action: 'withdrawn', ...cause })
  await setNewsletterOfAccount(trx, row.email, false)
}

/**
 * What a user wants, in their account. Who signed in with a proven address need not confirm it again.
 * @throws DomainError `user_not_found`; `access_denied` when somebody else agrees for them.
 */
export async function setUserNewsletter(
  context: Pick<Context, 'db'> & Place,
  { userId, wanted, callerId, ip }: { userId: string; wanted: boolean; callerId: string; ip: string },
): Promise<void> {
  if (wanted && callerId !== userId) throw new DomainError('access_denied')
  await inTransaction(context.db, async (trx) => {
    const user = await findReader(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    const cause: Cause = { source: 'account', userId, ip }
    const language = user.language as Language
    if (wanted)
      return agree(context, trx, { email: user.email, language, isProven: user.email_verified !== null }, cause)
    const row = await findSubscriptionOf(trx, user.email)
    // An account with somebody else's address, never confirmed, cannot end that person's subscription.
    if (row !== undefined && (user.email_verified !== null || !isSubscribed(row)))
      await withdraw(context, trx, row, cause)
    await setNewsletterOfAccount(trx, user.email, false)
  })
}

/** The tick at registration; counts once the address is confirmed. */
export async function agreeAtRegistration(
  context: Place,
  trx: Transaction,
  user: { id: string; email: string; language: Language },
  ip: string,
): Promise<void> {
  const { email, language } = user
  await agree(context, trx, { email, language, isProven: false }, { source: 'registration', userId: user.id, ip })
}

/** The address of an account was confirmed: with it, what the account agreed to before. */
export async function confirmWithAccount(
  context: Place,
  trx: Transaction,
  { userId, ip }: { userId: string; ip: string },
): Promise<void> {
  const user = await findReader(trx, userId)
  if (user === undefined || user.newsletter === null) return
  const row = await findSubscriptionOf(trx, user.email)
  if (row === undefined || isSubscribed(row)) return
  if (await markConfirmed(trx, { id: row.id, requestId: row.request_id }))
    await noteConsent(context, trx, { row, action: 'confirmed', source: 'registration', userId, ip })
}

/** An account has proved another address: its subscription goes along, where the old one was its own. */
export async function moveSubscription(
  context: Place,
  trx: Transaction,
  { userId, from, to, language }: { userId: string; from: string; to: string; language: Language },
  ip: string,
): Promise<void> {
  const row = await findSubscriptionOf(trx, from)
  if (row === undefined || !isSubscribed(row)) return
  if ((await findSubscriptionOf(trx, to)) === undefined) return changeAddress(trx, row.id, to)
  const cause: Cause = { source: 'account', userId, ip }
  await withdraw(context, trx, row, cause)
  await agree(context, trx, { email: to, language, isProven: true }, cause)
}

async function agree(
  context: Place,
  trx: Transaction,
  { email, language, isProven }: { email: string; language: Language; isProven: boolean },
  cause: Cause,
): Promise<void> {
  const row = await requestSubscription(trx, { email, language })
  await setNewsletterOfAccount(trx, email, true)
  if (isSubscribed(row)) return
  await noteConsent(context, trx, { row, action: 'requested', ...cause })
  if (isProven && (await markConfirmed(trx, { id: row.id, requestId: row.request_id })))
    await noteConsent(context, trx, { row, action: 'confirmed', ...cause })
}
