/**
 * What guards an account besides its first step: codes of an app with their recovery codes, and passkeys. Added, removed
 * and checked here; when they are asked for is up to accounts.
 */
import type { Transaction } from '#src/db/client.ts'
import { deletePasskeys } from './passkey-repo.ts'
import { deleteTotp, replaceRecoveryCodes } from './repo.ts'

export { checkFactor, type FactorProof } from './check.ts'
export { askForPasskey, checkPasskey } from './passkey-check.ts'
export { findFactors } from './repo.ts'

/** Takes every second factor from an account, without telling anybody. */
export async function removeFactorsOf(trx: Transaction, userId: string): Promise<void> {
  await deletePasskeys(trx, userId)
  await deleteTotp(trx, userId)
  await replaceRecoveryCodes(trx, userId, [])
}
