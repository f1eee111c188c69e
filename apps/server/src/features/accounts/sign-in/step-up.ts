/**
 * Proofs before dangerous actions: a session that was left open, or stolen, must not do them. Whoever holds it shows
 * again what opens the account: a passkey; the password, with a code where a second factor guards it; or digits sent by
 * mail, where an account has nothing else.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import { type stepUpBody, type StepUp, stepUpMinutes } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { checkFactor, type FactorProof, findFactors } from '#src/features/accounts/second-factors/service.ts'
import { factorOf, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { findUser } from '#src/features/accounts/users/service.ts'
import { findOpenDigitsOf } from './mail-digits-repo.ts'
import { sendDigits, spendDigits } from './mail-digits.ts'
import { requireOwnPassword } from './password.ts'
import { findProof, markProven } from './session-repo.ts'

const validMilliseconds = stepUpMinutes * 60_000

type Session = { userId: string; sessionId: string }

/**
 * @param unlessPassword asks nothing of accounts that a password alone guards: the call brings it along.
 * @throws DomainError `step_up_required`
 */
export async function requireRecentProof(
  db: Handle,
  { userId, sessionId }: Session,
  { unlessPassword = false } = {},
): Promise<void> {
  const at = await findProof(db, sessionId)
  if (at !== undefined && at.getTime() + validMilliseconds >= Date.now()) return
  if (unlessPassword) {
    const { methods, password_needs } = await findWays(db, userId)
    if (methods.includes('password') && password_needs === null) return
  }
  throw new DomainError('step_up_required')
}

export async function showStepUp({ db }: Pick<Context, 'db'>, { userId, sessionId }: Session) {
  const [ways, at] = await Promise.all([findWays(db, userId), findProof(db, sessionId)])
  return { ...ways, proven_until: new Date((at?.getTime() ?? 0) + validMilliseconds).toISOString() }
}

async function findWays(db: Handle, userId: string): Promise<Pick<StepUp, 'methods' | 'password_needs'>> {
  const [user, factors] = await Promise.all([findUser(db, userId), findFactors(db, userId)])
  const hasPassword = user?.password_hash != null
  const hasFactor = factors.totp || factors.passkey
  const methods: StepUp['methods'] = []
  if (factors.passkey) methods.push('passkey')
  if (hasPassword) methods.push('password')
  else if (hasFactor) methods.push('code')
  const code = factors.totp ? 'code' : 'recovery_code'
  return {
    methods: methods.length === 0 ? ['mail'] : methods,
    password_needs: hasPassword && hasFactor ? code : null,
  }
}

/** Mails digits. @throws DomainError `access_denied` to an account that has something better, `email_already_sent`. */
export async function mailStepUp(context: Context, userId: string): Promise<void> {
  const { methods } = await findWays(context.db, userId)
  if (!methods.includes('mail')) throw new DomainError('access_denied')
  await inTransaction(context.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
    await sendDigits(context, trx, {
      purpose: 'step_up',
      email: user.email.toLowerCase(),
      userId,
      language: user.language as Language,
      browserHash: null,
      askedFrom: null,
    })
  })
}

/**
 * @throws DomainError `invalid_user_password`, `second_factor_required` for a password without the code that it needs,
 *   `no_code`, `user_code_expired`, `passkey_refused`, `too_many_requests`; `access_denied` for a way that is not the
 *   account's.
 */
export async function proveOwner(
  context: Context,
  session: Session,
  proof: z.output<typeof stepUpBody>,
): Promise<void> {
  const { userId } = session
  const { methods, password_needs } = await findWays(context.db, userId)
  if (!methods.includes(proof.method)) throw new DomainError('access_denied')
  switch (proof.method) {
    case 'password': {
      await requireOwnPassword(context, userId, proof.password)
      if (password_needs === null) return markProven(context.db, session.sessionId)
      if (proof.code === undefined) throw new DomainError('second_factor_required')
      return proveByFactor(context, session, { method: 'code', code: proof.code })
    }
    case 'mail':
      return proveByMail(context, session, proof.code)
    case 'code':
    case 'passkey':
      return proveByFactor(context, session, proof)
  }
}

async function proveByFactor(context: Context, { userId, sessionId }: Session, proof: FactorProof): Promise<void> {
  const isRight = await tryGuess(context.db, factorOf(userId), () =>
    inTransaction(context.db, async (trx) => {
      const user = await findUser(trx, userId)
      if (user === undefined) return undefined
      const shown = await checkFactor(context, trx, { user, proof, purpose: 'step_up', boundTo: sessionId })
      if (shown !== undefined) await markProven(trx, sessionId)
      return shown
    }),
  )
  if (isRight === undefined) throw new DomainError(proof.method === 'passkey' ? 'passkey_refused' : 'no_code')
}

async function proveByMail(context: Context, { userId, sessionId }: Session, digits: string): Promise<void> {
  const id = await findOpenDigitsOf(context.db, userId, 'step_up')
  if (id === undefined) throw new DomainError('no_code')
  await spendDigits(context, { id, purpose: 'step_up', digits, browserHash: null }, (trx) => markProven(trx, sessionId))
}
