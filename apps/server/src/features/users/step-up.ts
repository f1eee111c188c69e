/**
 * Proofs before dangerous actions: a session that was left open, or stolen, must not do them. Whoever holds it shows
 * again a password, a code, a passkey; or digits sent by mail, where an account has nothing else.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { stepUpBody, StepUpMethod } from '@wakestone/contract/security'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { findFactors } from './factor-repo.ts'
import { forgetWrongGuesses, noteWrongGuess, ownerOf, requireGuessAllowed } from './login-throttle.ts'
import { findOpenDigitsOf } from './mail-digits-repo.ts'
import { sendDigits, spendDigits } from './mail-digits.ts'
import { requireOwnPassword } from './password.ts'
import { findUser } from './repo.ts'
import { checkFactor } from './second-factor.ts'
import { findProof, markProven } from './session-repo.ts'

const validMilliseconds = 15 * 60_000

type Session = { userId: string; sessionId: string }

/**
 * @param unlessPassword asks nothing of accounts that have a password: the call brings it along.
 * @throws DomainError `step_up_required`
 */
export async function requireRecentProof(
  db: Handle,
  sessionId: string,
  { unlessPassword = false } = {},
): Promise<void> {
  const proof = await findProof(db, sessionId)
  if (unlessPassword && proof?.hasPassword === true) return
  if (proof === undefined || proof.at.getTime() + validMilliseconds < Date.now())
    throw new DomainError('step_up_required')
}

export async function showStepUp({ db }: Pick<Context, 'db'>, { userId, sessionId }: Session) {
  const [methods, proof] = await Promise.all([findMethods(db, userId), findProof(db, sessionId)])
  return { methods, proven_until: new Date((proof?.at.getTime() ?? 0) + validMilliseconds).toISOString() }
}

async function findMethods(db: Handle, userId: string): Promise<StepUpMethod[]> {
  const [user, factors] = await Promise.all([findUser(db, userId), findFactors(db, userId)])
  const methods: StepUpMethod[] = []
  if (factors.passkey) methods.push('passkey')
  if (user?.password_hash != null) methods.push('password')
  if (factors.totp || factors.passkey) methods.push('code')
  return methods.length === 0 ? ['mail'] : methods
}

/** Mails digits. @throws DomainError `access_denied` to an account that has something better, `email_already_sent`. */
export async function mailStepUp(context: Context, userId: string): Promise<void> {
  if (!(await findMethods(context.db, userId)).includes('mail')) throw new DomainError('access_denied')
  await inTransaction(context.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    await sendDigits(context, trx, {
      purpose: 'step_up',
      email: user.email.toLowerCase(),
      userId,
      language: user.language as Language,
      browserHash: null,
    })
  })
}

/** @throws DomainError `invalid_user_password`, `no_code`, `user_code_expired`, `passkey_refused`, `too_many_requests`. */
export async function proveOwner(
  context: Context,
  session: Session,
  proof: z.output<typeof stepUpBody>,
): Promise<void> {
  const { userId } = session
  switch (proof.method) {
    case 'password': {
      // An account without one would be asked nothing.
      if (!(await findMethods(context.db, userId)).includes('password')) throw new DomainError('invalid_user_password')
      await requireOwnPassword(context, userId, proof.password)
      return markProven(context.db, session.sessionId)
    }
    case 'mail':
      return proveByMail(context, session, proof.code)
    case 'code':
    case 'passkey': {
      const guesser = ownerOf(userId)
      await requireGuessAllowed(context.db, guesser)
      const isRight = await inTransaction(context.db, async (trx) => {
        const user = await findUser(trx, userId)
        if (user === undefined) return false
        const given = { user, proof, purpose: 'step_up', boundTo: session.sessionId } as const
        const shown = await checkFactor(context, trx, given)
        if (shown !== undefined) await markProven(trx, session.sessionId)
        return shown !== undefined
      })
      if (isRight) return forgetWrongGuesses(context.db, guesser)
      await noteWrongGuess(context.db, guesser)
      throw new DomainError(proof.method === 'passkey' ? 'passkey_refused' : 'no_code')
    }
  }
}

async function proveByMail(context: Context, { userId, sessionId }: Session, digits: string): Promise<void> {
  if (!(await findMethods(context.db, userId)).includes('mail')) throw new DomainError('access_denied')
  const id = await findOpenDigitsOf(context.db, userId, 'step_up')
  if (id === undefined) throw new DomainError('no_code')
  await spendDigits(context, { id, purpose: 'step_up', digits, browserHash: null }, (trx) => markProven(trx, sessionId))
}
