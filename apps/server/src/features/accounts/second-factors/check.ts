/** Checks what an account's owner has besides the first step: a code of an app, a recovery code, a passkey. */
import type { AuthenticationResponse } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { UserRow } from '#src/features/accounts/users/service.ts'
import { countRecoveryCodes, findTotp, takeRecoveryCode, takeTotpStep } from './repo.ts'
import { hashRecoveryCode, openFor } from './secrets.ts'
import { checkPasskey } from './passkey-check.ts'
import { stepOfCode } from './totp.ts'

/** `code` is one of an app, or a recovery code. */
export type FactorProof = { method: 'code'; code: string } | { method: 'passkey'; response: AuthenticationResponse }

/**
 * Takes a proof, in the caller's transaction: what can be used once is used then.
 * @returns what was shown; undefined when it is wrong or was used before.
 */
export async function checkFactor(
  context: Context,
  trx: Transaction,
  given: { user: UserRow; proof: FactorProof; boundTo: string; purpose: 'second_step' | 'step_up' },
): Promise<'totp' | 'recovery_code' | 'passkey' | undefined> {
  const { user, proof } = given
  if (proof.method === 'passkey') {
    const owner = await checkPasskey(context, trx, { ...given, response: proof.response })
    return owner === user.id ? 'passkey' : undefined
  }
  const code = proof.code.replace(/\s/g, '')
  if (/^\d{6}$/.test(code)) return (await isTotpRight(context, trx, user.id, code)) ? 'totp' : undefined
  if (!(await takeRecoveryCode(trx, user.id, hashRecoveryCode(context, user.id, code)))) return undefined
  const left = await countRecoveryCodes(trx, user.id)
  await notify(trx, { userId: user.id, kind: 'RECOVERY_CODE_USED', fields: { left } })
  return 'recovery_code'
}

async function isTotpRight(context: Context, trx: Transaction, userId: string, code: string): Promise<boolean> {
  const totp = await findTotp(trx, userId)
  if (totp === undefined || totp.confirmed_at === null) return false
  const step = stepOfCode(openFor(context, userId, totp.sealed), code, Date.now())
  return step !== undefined && takeTotpStep(trx, userId, step)
}
