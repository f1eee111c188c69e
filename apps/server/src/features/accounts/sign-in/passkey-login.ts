/** Signing in with a passkey alone. */
import { DomainError } from '@wakestone/contract/errors'
import type { AuthenticationResponse } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { checkPasskey } from '#src/features/accounts/second-factors/service.ts'
import type { Device } from './devices.ts'
import { completeLogin } from './login-steps.ts'
import { findUser } from '#src/features/accounts/users/service.ts'
import type { SessionTokens } from './sessions.ts'

/**
 * Signs in without a name: the authenticator says whose passkey it is. It is had and unlocked by its owner, which is two
 * factors already.
 * @throws DomainError `passkey_refused`
 */
export async function loginWithPasskey(
  context: Context,
  browser: string | undefined,
  response: AuthenticationResponse,
  device: Device,
): Promise<SessionTokens> {
  const tokens =
    browser === undefined
      ? undefined
      : await inTransaction(context.db, async (trx) => {
          const userId = await checkPasskey(context, trx, { response, purpose: 'login', boundTo: browser })
          const user = userId === undefined ? undefined : await findUser(trx, userId)
          if (user === undefined) return undefined
          const data = { email: user.email, ip: device.ip, method: 'passkey' }
          return completeLogin(context, trx, { user, device, event: { action: 'USER_LOGIN', data } })
        })
  if (tokens === undefined) throw new DomainError('passkey_refused')
  return tokens
}
