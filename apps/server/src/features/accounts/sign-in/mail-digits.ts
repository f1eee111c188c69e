/**
 * Codes of eight digits sent by mail, good for ten minutes, five tries and one use. The digits follow from the code's id
 * and a key of this installation: neither database nor job queue holds them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import {
  countDigitsSince,
  countDigitsTry,
  type DigitsPurpose,
  findDigits,
  insertDigits,
  lockDigits,
  markDigitsUsed,
} from './mail-digits-repo.ts'
import { digitsMail } from './mails.ts'
import { isNetworkOf } from './session-repo.ts'
import { findUserByLogin } from '#src/features/accounts/users/service.ts'

const validMilliseconds = 10 * 60_000
const triesAllowed = 5
const pauseMilliseconds = 60_000
/** That one network asks for. */
const codesPerDay = 20
/** To one address, whoever asks; not counted against a browser or a network in which its owner has been signed in. */
const codesPerDayOfAll = 60

export const sendDigitsJob = defineJob<{ digitsId: string }>({
  queue: 'send-mail-digits',
  policy: 'standard',
  retryLimit: 5,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
})

function digitsOf({ secrets }: Pick<Context, 'secrets'>, { id, purpose }: { id: string; purpose: string }): string {
  const bytes = createHmac('sha256', secrets.mailLinks).update(`digits|${purpose}|${id}`).digest()
  return String(bytes.readBigUInt64BE() % 100_000_000n).padStart(8, '0')
}

/**
 * Makes a code and enqueues its mail, in the caller's transaction.
 * @returns its id.
 * Strangers who ask for codes to an address keep nobody from asking for one elsewhere.
 * @throws DomainError `email_already_sent` within a minute of the last one, `too_many_requests` after twenty in a day.
 */
export async function sendDigits(
  context: Pick<Context, 'boss'>,
  trx: Transaction,
  wanted: {
    purpose: DigitsPurpose
    email: string
    userId: string | null
    language: Language
    browserHash: Buffer | null
    /** The network that asks; null for an account's own session. */
    askedFrom: string | null
    /** Whether the owner of the address has signed in with the browser that asks. */
    isKnownBrowser?: boolean
  },
): Promise<string> {
  const { email, purpose, askedFrom, isKnownBrowser = false } = wanted
  const own = { email, purpose, askedFrom }
  const day = new Date(Date.now() - 24 * 3600_000)
  const isTooMuch = async () =>
    (await countDigitsSince(trx, own, day)) >= codesPerDay ||
    ((await countDigitsSince(trx, { email, purpose }, day)) >= codesPerDayOfAll &&
      !isKnownBrowser &&
      (askedFrom === null || !(await isNetworkOf(trx, email, askedFrom))))
  if ((await countDigitsSince(trx, own, new Date(Date.now() - pauseMilliseconds))) > 0)
    throw new DomainError('email_already_sent')
  if (await isTooMuch()) throw new DomainError('too_many_requests', { resource: 'email' })
  const digitsId = await insertDigits(trx, { ...wanted, expiresAt: new Date(Date.now() + validMilliseconds) })
  await enqueue(context.boss, trx, sendDigitsJob, { digitsId })
  return digitsId
}

/** Does the job: sends the mail of one code, unless it is late. */
export async function sendDigitsMail(context: Context, { digitsId }: { digitsId: string }): Promise<void> {
  const code = await findDigits(context.db, digitsId)
  if (code === undefined || code.used_at !== null || code.expires_at.getTime() < Date.now()) return
  const digits = digitsOf(context, code)
  const mail = digitsMail(code.purpose as DigitsPurpose, {
    language: code.language as Language,
    digits,
    isNew: (await findUserByLogin(context.db, code.email)) === undefined,
  })
  await context.mailer.send({ to: code.email, ...mail })
}

export type Digits = { id: string; email: string }

/**
 * Checks a code and does what it allows, once. The try counts even when what it allows is refused for another reason
 * (such as terms not accepted), but the code stays good then.
 * @throws DomainError `no_code` for wrong digits, `user_code_expired` when it is used, late, or was tried five times.
 */
export async function spendDigits<Result>(
  context: Context,
  given: { id: string; purpose: DigitsPurpose; digits: string; browserHash: Buffer | null },
  use: (trx: Transaction, code: Digits) => Promise<Result>,
): Promise<Result> {
  const refusal = await inTransaction(context.db, async (trx) => {
    const code = await lockDigits(trx, given.id)
    if (code?.purpose !== given.purpose || !isSame(code.browser_hash, given.browserHash)) return 'no_code' as const
    if (code.used_at !== null || code.expires_at.getTime() < Date.now() || code.tries >= triesAllowed)
      return 'user_code_expired' as const
    await countDigitsTry(trx, code.id)
    return isSame(Buffer.from(digitsOf(context, code)), Buffer.from(given.digits)) ? undefined : ('no_code' as const)
  })
  if (refusal !== undefined) throw new DomainError(refusal)
  return inTransaction(context.db, async (trx) => {
    const code = await lockDigits(trx, given.id)
    if (code === undefined || code.used_at !== null) throw new DomainError('user_code_expired')
    await markDigitsUsed(trx, code.id)
    return use(trx, { id: code.id, email: code.email })
  })
}

function isSame(left: Buffer | null, right: Buffer | null): boolean {
  if (left === null || right === null) return left === right
  return left.length === right.length && timingSafeEqual(left, right)
}
