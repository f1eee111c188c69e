/** Asks the browser for a passkey. Loaded when someone wants to use one: public pages do not carry it. */
import { startAuthentication, startRegistration, WebAuthnAbortService, WebAuthnError } from '@simplewebauthn/browser'
import type { AuthenticationResponse } from '@wakestone/contract/accounts/security'

type Options = { options: Record<string, unknown> }

type Asked = Parameters<typeof startAuthentication>[0]['optionsJSON']

let prompts = 0
/** Whether the visitor is being asked right now: a quieter question would close that one. */
export const isPrompting = () => prompts > 0
let afterPrompt = () => {}
/** What to do when the visitor has answered, or would not. */
export function callAfterPrompt(work: () => void): void {
  afterPrompt = work
}

/** @returns undefined when the visitor thought otherwise. */
export async function signWithPasskey({ options }: Options): Promise<AuthenticationResponse | undefined> {
  const optionsJSON = options as unknown as Asked
  prompts++
  try {
    return await unlessCancelled(async () => (await startAuthentication({ optionsJSON })) as AuthenticationResponse)
  } finally {
    prompts--
    afterPrompt()
  }
}

/** Waits until the visitor takes a passkey from what the browser fills in. @returns undefined when that was ended. */
export function signFromAutofill({ options }: Options): Promise<AuthenticationResponse | undefined> {
  const asked = { optionsJSON: options as unknown as Asked, useBrowserAutofill: true }
  return unlessCancelled(async () => (await startAuthentication(asked)) as AuthenticationResponse)
}

export function stopAutofill(): void {
  if (!isPrompting()) WebAuthnAbortService.cancelCeremony()
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
