/** Asks the browser for a passkey. Loaded when someone wants to use one: public pages do not carry it. */
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type { AuthenticationResponse } from '@wakestone/contract/security'

type Options = { options: Record<string, unknown> }

/** @returns undefined when the visitor thought otherwise. */
export function signWithPasskey({ options }: Options): Promise<AuthenticationResponse | undefined> {
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return unlessCancelled(async () => (await startAuthentication({ optionsJSON })) as AuthenticationResponse)
}

/** @returns undefined when the visitor thought otherwise. */
export function makePasskey({ options }: Options) {
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  return unlessCancelled(() => startRegistration({ optionsJSON }))
}

async function unlessCancelled<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask()
  } catch (error) {
    const cause = error instanceof WebAuthnError ? error.cause : error
    // A prompt that was closed, timed out, or found nothing; browsers do not tell which.
    if (cause instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(cause.name)) return undefined
    throw error
  }
}

/** The authenticator has a passkey of this account already. */
export const isKnownAlready = (error: unknown): boolean =>
  error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
